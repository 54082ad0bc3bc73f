import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Log } from '../../src/log.ts';

/** A log that records its lines; `next` resolves with the first line that is `wanted`. */
export function recordedLog(): {
  log: Log;
  lines: Record<string, unknown>[];
  next(wanted: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
} {
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    lines.push(JSON.parse(String(chunk)));
    for (const look of waiting) look();
    done();
  };
  const next = (wanted: (line: Record<string, unknown>) => boolean) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const look = (): void => {
        const found = lines.find(wanted);
        if (found) resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { log: pino(new Writable({ write })), lines, next };
}
