import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';

/** Writes generated/prisma from prisma/schema.prisma, without the network; throws with Prisma's own words where the schema is wrong. */
export async function generatePrisma(): Promise<void> {
  const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');
  const schema = join(root, 'prisma', 'schema.prisma');
  await promisify(execFile)(process.execPath, [cli, 'generate', '--no-hints', `--schema=${schema}`], {
    cwd: root,
    env: { ...process.env, ...offline },
  });
}

/** Prisma insists on a schema engine that `generate` never runs; naming any existing file spares the download. */
const offline = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
  NO_COLOR: '1',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await generatePrisma();
  console.log('generated/prisma: Prisma client');
}
