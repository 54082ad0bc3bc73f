import { availableParallelism, cpus } from 'node:os';

/** The first line of every report: the day, and what it ran on; `database` is named by the bench. */
export const machineNote = (database: string): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${database}, ` +
  `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`;
