// Runs a program of PostgreSQL on the database of DATABASE_URL or DATABASE_URL_FILE: node scripts/deploy/libpq.mjs pg_dump --format=custom
// The program gets the address in its environment: on its command line, every user of the machine would see the password.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { DATABASE_URL_FILE: file, DATABASE_URL: url, ...env } = process.env;
if (!file === !url) throw new Error('set DATABASE_URL or DATABASE_URL_FILE');
const address = new URL(url || readFileSync(file, 'utf8').trim());
const { hostname, port, username, password, pathname, searchParams } = address;
const settings = {
  host: hostname,
  port,
  user: username,
  password,
  dbname: pathname.slice(1),
  ...Object.fromEntries([...searchParams].map(([name, value]) => [name, encodeURIComponent(value)])),
};
const names = { dbname: 'PGDATABASE' };
for (const [name, value] of Object.entries(settings))
  if (value !== '') env[names[name] ?? `PG${name.toUpperCase()}`] = decodeURIComponent(value);
const [program, ...args] = process.argv.slice(2);
const { status, error } = spawnSync(program, args, { env, stdio: 'inherit' });
if (error) throw error;
process.exit(status ?? 1);
