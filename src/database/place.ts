import { resolve } from 'node:path';

/** Names a database for people, without its password: `database vaga at 127.0.0.1:5432, as vaga_service`. */
export function placeOf({ databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string }): string {
  if (databaseUrl === undefined) return `the embedded database in ${resolve(dataDir)}`;
  const { hostname, port, pathname, username, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const role = decodeURIComponent(username) || searchParams.get('user');
  const name = decodeURIComponent(pathname.slice(1)) || role;
  return `database ${name} at ${host || 'localhost'}:${port || searchParams.get('port') || 5432}${role ? `, as ${role}` : ''}`;
}
