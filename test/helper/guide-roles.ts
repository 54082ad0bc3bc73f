import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** Runs the SQL of the deploy guide's "Roles" with psql, as a superuser would paste it; the addresses of the two roles' database. */
export async function rolesOfGuide({ url }: { readonly url: string }): Promise<{ owner: string; service: string }> {
  const guide = await readFile(join(packageRoot, 'scripts/deploy/README.md'), 'utf8');
  const [, sql] = /\*\*Roles\.\*\*[^`]*(?:`[^`]+`[^`]*)*```sql\n([^`]+)```/.exec(guide) ?? [];
  if (sql === undefined) throw new Error('the guide has no SQL for roles');
  const psql = spawn('psql', ['--no-psqlrc', '--set', 'ON_ERROR_STOP=1', url]);
  psql.stdin.end(sql);
  const [errors] = await Promise.all([text(psql.stderr), text(psql.stdout), once(psql, 'close')]);
  if (psql.exitCode !== 0) throw new Error(errors);
  const address = (username: string) => Object.assign(new URL(url), { username, pathname: '/vaga' }).href;
  return { owner: address('vaga_owner'), service: address('vaga_service') };
}
