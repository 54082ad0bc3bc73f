// Runs a program of PostgreSQL on the database of DATABASE_URL or DATABASE_URL_FILE: node scripts/deploy/libpq.mjs pg_dump --format=custom
// The program gets the address in its environment: on its command line, every user of the machine would see the password.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { DATABASE_URL_FILE: file, DATABASE_URL: url, ...inherited } = process.env;
// The shell's own PGHOST, PGPORT, PGSERVICE, ... must not complete the address. A password or its file may.
const env = Object.fromEntries(Object.entries(inherited).filter(([name]) => !/^PG(?!PASS)[A-Z]/.test(name)));

/** Ends with one line, without the address: it may contain a password. */
function fail(problem) {
  console.error(`libpq.mjs: ${problem}`);
  process.exit(1);
}

function readAddress() {
  if (!file === !url) fail('set DATABASE_URL or DATABASE_URL_FILE');
  try {
    return url || readFileSync(file, 'utf8').trim();
  } catch ({ message }) {
    return fail(`DATABASE_URL_FILE cannot be read: ${message}`);
  }
}

/** Throws for an address that cannot be read. */
function settingsOf(text) {
  if (!/^postgres(ql)?:\/\/[^#]*$/.test(text)) throw new Error('not an address');
  // A role without a host, as before `?host=/run/postgresql`. A parser of URLs needs a host.
  // A % without two digits means itself, as for the service.
  const address = new URL(
    text.replace(/^(\w+:\/\/[^/?]*@)(?=[/?]|$)/, '$1localhost').replace(/%(?![\da-f]{2})/gi, '%25'),
  );
  return {
    host: decodeURIComponent(address.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: address.port,
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    dbname: decodeURIComponent(address.pathname.slice(1)),
    ...Object.fromEntries(address.searchParams),
  };
}

function readSettings() {
  const text = readAddress();
  try {
    return settingsOf(text);
  } catch {
    return fail(
      'DATABASE_URL must be a postgresql:// address of one host; percent-encode other characters, as @ in %40',
    );
  }
}

/** Variables of libpq with irregular names. All others are PG and the parameter's name in upper case, without underscores. */
const names = { dbname: 'PGDATABASE', application_name: 'PGAPPNAME', connect_timeout: 'PGCONNECT_TIMEOUT' };
for (const [name, value] of Object.entries(readSettings()))
  if (value !== '') env[names[name] ?? `PG${name.replaceAll('_', '').toUpperCase()}`] = value;
const [program, ...args] = process.argv.slice(2);
const { status, error } = spawnSync(program, args, { env, stdio: 'inherit' });
if (error) fail(error.message);
process.exit(status ?? 1);
