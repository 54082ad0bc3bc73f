import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { prismaFolder } from '../../src/database/prisma-folder.ts';
import { times } from '../helper/times.ts';

type Migrating = typeof import('../../scripts/generate/migration.ts');

it('two copies of the generator in one process do not free what the other holds', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const schema = await readFile(join(prismaFolder, 'schema.prisma'), 'utf8');
  const generators: Migrating[] = await Promise.all(
    times(2, (n) => import(new URL(`../../scripts/generate/migration.js?${n}`, import.meta.url).href)),
  );
  for (const name of ['motto', 'slogan'])
    for (const { migrationTo } of generators) {
      const edited = schema.replace('model Company {', `model Company {\n  ${name} String?`);
      const made = await migrationTo({ schema: edited, name, now: new Date() });
      expect(made?.sql).to.include(`ADD COLUMN     "${name}" TEXT`);
      // What is collected is freed in a later turn of the event loop.
      for (const _ of times(5, Number)) {
        collect();
        await sleep(20);
      }
    }
});
