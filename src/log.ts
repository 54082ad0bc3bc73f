import { type DestinationStream, type Logger, pino } from 'pino';
import { textOf } from './domain/thrown.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** In any case: body-parser quotes a charset in capitals. */
const secretPattern = /vaga_(test|live)_\w+/gi;

/** Removes credentials from text of clients or libraries. */
export const withoutSecrets = (text: string): string => text.replace(secretPattern, 'vaga_$1_[removed]');

/** Logs JSON lines to standard output. Errors are logged whole, without credentials; never bodies, headers or query strings. */
export function openLog(level: string, destination = standardOutput()): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: describeError },
  };
  return pino(options, destination);
}

/** Lines that cannot be written, as on a full disk, are lost: pino would end the process, and wait for the disk at its exit. */
function standardOutput(): DestinationStream {
  let isFailing = false;
  const open = () => {
    const output = pino.destination({ dest: 1, sync: false });
    output.on('write', () => {
      isFailing = false;
    });
    return output.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Without a reader pino itself drops every line.
      if (code === 'EPIPE') return;
      isFailing = true;
      output.destroy();
      if (output === current) current = open();
    });
  };
  let current = open();
  // Before pino's own listener, which writes what is left.
  process.prependListener('exit', () => {
    if (isFailing) current.destroy();
  });
  return { write: (lines) => void current.write(lines) };
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(textOf(error)) };
  const { name, message, stack } = error;
  return { name, message: withoutSecrets(message), stack: withoutSecrets(stack ?? '') };
}
