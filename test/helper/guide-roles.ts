import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from './own-folder.ts';

/** The settings with which psql finds a server. */
export const psqlSettings = (url: string) => {
  const { hostname, port, username } = new URL(url);
  return { PATH: process.env.PATH ?? '', PGHOST: hostname, PGPORT: port, PGUSER: username };
};

/** Runs the commands of the deploy guide's "Roles" as a superuser would paste them; the addresses of the two roles' database. */
export async function rolesOfGuide({ url }: { readonly url: string }): Promise<{ owner: string; service: string }> {
  const guide = readFileSync(join(packageRoot, 'scripts/deploy/README.md'), 'utf8');
  const [, commands] = /\*\*Roles\.\*\*[\s\S]*?```sh\n([^`]+)```/.exec(guide) ?? [];
  if (commands === undefined) throw new Error('the guide has no commands for roles');
  const folder = ownFolder();
  symlinkSync(join(packageRoot, 'scripts'), join(folder, 'scripts'));
  await promisify(execFile)('sh', ['-ec', commands], { cwd: folder, env: psqlSettings(url) });
  const addressOf = (role: string) => {
    const password = readFileSync(join(folder, `${role}-password`), 'utf8').trim();
    return Object.assign(new URL(url), { username: `vaga_${role}`, password, pathname: '/vaga' }).href;
  };
  return { owner: addressOf('owner'), service: addressOf('service') };
}
