import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** The modules of src with a function that ran in this thread during `work`, such as `server/answer`. */
export async function modulesRunIn(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .flatMap(({ url }) => (url.startsWith('file:') ? [relative(packageRoot, fileURLToPath(url))] : []))
      .flatMap((path) => /^(?:dist\/)?src\/(.*)\.[jt]sx?$/.exec(path)?.[1] ?? [])
      .sort();
  } finally {
    session.disconnect();
  }
}
