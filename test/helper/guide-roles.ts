import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { guideCommands } from './guide.ts';
import { ownFolder } from './own-folder.ts';

/** The settings with which psql finds a server. */
export const psqlSettings = (url: string) => {
  const { hostname, port, username } = new URL(url);
  return { PATH: process.env.PATH ?? '', PGHOST: hostname, PGPORT: port, PGUSER: username };
};

/** Runs the commands of the deploy guide's "Roles" as a superuser would paste them; the addresses of the two roles' database. */
export async function rolesOfGuide(
  { url }: { readonly url: string },
  SECRETS = join(ownFolder(), 'vaga'),
): Promise<{ owner: string; service: string }> {
  const env = { ...psqlSettings(url), SECRETS };
  await promisify(execFile)('sh', ['-ec', guideCommands('scripts/deploy/make-roles.sh')], { cwd: packageRoot, env });
  const files = readdirSync(SECRETS).sort();
  expect(files).to.deep.equal(['database-url', 'owner-url']);
  for (const file of files) expect(statSync(join(SECRETS, file)).mode & 0o077, file).to.equal(0);
  const addressIn = (file: string) => readFileSync(join(SECRETS, file), 'utf8').trim();
  return { owner: addressIn('owner-url'), service: addressIn('database-url') };
}
