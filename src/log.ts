import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

const secretPattern = /vaga_(test|live)_[0-9A-Za-z_]+/g;

/** Removes credentials from text of clients or libraries. */
export const withoutSecrets = (text: string): string => text.replace(secretPattern, 'vaga_$1_[removed]');

/** Logs JSON lines to standard output. Errors are logged whole, without credentials; never bodies, headers or query strings. */
export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describeError },
  });
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  const { name, message, stack } = error;
  return { name, message: withoutSecrets(message), stack: withoutSecrets(stack ?? '') };
}
