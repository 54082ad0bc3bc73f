// Runs a program of PostgreSQL on the database of DATABASE_URL or DATABASE_URL_FILE: node scripts/deploy/libpq.mjs pg_dump --format=custom
// The program gets the address in its environment: on its command line, every user of the machine would see the password.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { DATABASE_URL_FILE: file, DATABASE_URL: url, ...inherited } = process.env;
if (!file === !url) throw new Error('set DATABASE_URL or DATABASE_URL_FILE');
// The shell's own PGHOST, PGPORT, PGSERVICE, ... must not complete the address. A password or its file may.
const env = Object.fromEntries(Object.entries(inherited).filter(([name]) => !/^PG(?!PASS)[A-Z]/.test(name)));
const address = new URL(url || readFileSync(file, 'utf8').trim());
const settings = {
  host: decodeURIComponent(address.hostname.replace(/^\[(.*)\]$/, '$1')),
  port: address.port,
  user: decodeURIComponent(address.username),
  password: decodeURIComponent(address.password),
  dbname: decodeURIComponent(address.pathname.slice(1)),
  ...Object.fromEntries(address.searchParams),
};
/** Variables of libpq with irregular names. All others are PG and the parameter's name in upper case, without underscores. */
const names = { dbname: 'PGDATABASE', application_name: 'PGAPPNAME', connect_timeout: 'PGCONNECT_TIMEOUT' };
for (const [name, value] of Object.entries(settings))
  if (value !== '') env[names[name] ?? `PG${name.replaceAll('_', '').toUpperCase()}`] = value;
const [program, ...args] = process.argv.slice(2);
const { status, error } = spawnSync(program, args, { env, stdio: 'inherit' });
if (error) throw error;
process.exit(status ?? 1);
