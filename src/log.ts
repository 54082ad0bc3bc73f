import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { textOf } from './domain/thrown.ts';
import { withoutSecrets } from './domain/token.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Logs JSON lines to standard output. Logs errors whole, except for credentials. Bodies, headers and query strings are never logged. */
export function openLog(level: string, destination: DestinationStream = standardOutput()): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: describeError },
  };
  return pino(options, destination);
}

/** How many bytes of lines may wait for the reader of standard output: some twenty minutes of a busy hour. */
const waitingBytesMax = 8 * 1024 * 1024;
/** How long a stop waits for that reader. */
const writtenWaitMs = 5000;
/** How often, every tenth of a second, an exit tries to write what still waits. */
const triesAtExit = 10;

export interface LogOutput extends DestinationStream {
  /** Resolves when all lines are written, or after five seconds if nobody reads them. */
  readonly written: () => Promise<void>;
}

/**
 * Drops and counts lines that cannot be written, on a full disk or because their reader hangs. Otherwise, pino's error would end the process,
 * waiting lines would fill its memory, and an exit would hang.
 */
export function standardOutput(): LogOutput {
  // Makes standard output non-blocking if it is a pipe: otherwise one write would wait for its reader for ever.
  void process.stdout;
  let [isFailing, isWaiting, isClosed, isUnread] = [false, false, false, false];
  let lost = 0;
  let tries = Number.POSITIVE_INFINITY;
  const open = () => {
    const retryEAGAIN = () => tries-- > 0;
    const output = pino.destination({ dest: 1, sync: false, maxLength: waitingBytesMax, retryEAGAIN });
    output.on('drop', () => {
      lost += 1;
    });
    output.on('drain', () => {
      isWaiting = false;
      if (isFailing || lost > 0)
        output.write(`${JSON.stringify({ level: 'warn', time: new Date(), lost, msg: 'log lines were lost' })}\n`);
      isFailing = false;
      lost = 0;
    });
    return output.on('error', ({ code }: NodeJS.ErrnoException) => {
      isWaiting = false;
      // EPIPE means that nobody reads standard output any more.
      isClosed ||= code === 'EPIPE';
      if (isClosed) return;
      if (!isFailing) tellStandardError(`vaga: the log cannot be written (${code}); lines are lost until it can\n`);
      isFailing = true;
      output.destroy();
      if (output === current) current = open();
    });
  };
  let current = open();
  // Runs before pino's own listener, which would try to write the remaining lines for ever.
  process.prependListener('exit', () => {
    tries = triesAtExit;
    try {
      // pino tries again for ever if the reader goes away meanwhile, so nothing is written to one that has not read in five seconds.
      if (!isFailing && !isUnread) current.flushSync();
    } catch {}
    current.destroy();
  });
  const write = (line: string): void => {
    if (isClosed) return;
    if (isFailing) lost += 1;
    isWaiting = true;
    current.write(line);
  };
  const written = async (): Promise<void> => {
    if (!isWaiting) return;
    // Also ends with an error of the output: nothing waits then.
    await once(current, 'drain', { signal: AbortSignal.timeout(writtenWaitMs) }).catch(({ name }) => {
      isUnread = name === 'AbortError';
    });
  };
  return { write, written };
}

/** Standard error may be on the same full disk. */
function tellStandardError(line: string): void {
  try {
    writeSync(2, line);
  } catch {}
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(textOf(error)) };
  const { name, message, stack } = error;
  return { name, message: withoutSecrets(message), stack: withoutSecrets(stack ?? '') };
}

/** A condition has ended when it was not seen for this long. */
const endedAfterMs = 10_000;

interface Condition {
  readonly since: number;
  readonly ending: NodeJS.Timeout;
  count: number;
}

const lasting = new WeakMap<Log, Map<string, Condition>>();

/**
 * Writes only two lines about a condition that many requests meet: the first when it is first seen, the second after it was not seen for
 * `endedMs`. The second line says how often the condition was seen.
 */
export function logLasting(log: Log, message: string, fields: object = {}, endedMs = endedAfterMs): void {
  const conditions = lasting.get(log) ?? new Map<string, Condition>();
  lasting.set(log, conditions);
  const known = conditions.get(message);
  if (known) {
    known.count += 1;
    known.ending.refresh();
    return;
  }
  log.warn(fields, message);
  const end = (): void => {
    conditions.delete(message);
    const seconds = Math.round((performance.now() - condition.since - endedMs) / 1000);
    log.warn({ count: condition.count, seconds }, `ended: ${message}`);
  };
  const condition = { since: performance.now(), ending: setTimeout(end, endedMs).unref(), count: 1 };
  conditions.set(message, condition);
}

/** Whether the condition was seen and has not ended yet. */
export const isLasting = (log: Log, message: string): boolean => lasting.get(log)?.has(message) === true;
