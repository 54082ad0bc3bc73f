import { readFileSync, readlinkSync } from 'node:fs';

/** The calling thread's id in the operating system, where Linux tells it. Node's own `threadId` is another number. */
export function systemThreadId(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1);
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that a thread of this process has used, where Linux tells them. Reads memory, not a disk. */
export function processorMs(systemId: string | undefined): number | undefined {
  if (systemId === undefined) return undefined;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${systemId}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
