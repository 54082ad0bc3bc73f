import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type PoolSettings, poolDefaults } from './database/open.ts';
import { isServerName } from './domain/server-name.ts';

/** The settings of the service, as readConfig returns them. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

type Env = Readonly<Record<string, string | undefined>>;

/** An invalid setting. The message is one line and names it. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replace(/\s+/g, ' '));
  }
}

/** The only reader of environment variables. Throws a ConfigError naming the first invalid one. */
export function readConfig(env: Env) {
  const whole = (name: string, fallback: number, min: number, max: number) => integer(env, name, fallback, min, max);
  return {
    host: env.HOST || '127.0.0.1',
    port: portOf(env),
    /** Without a trailing slash; empty if not set. */
    publicUrl: publicUrl(env),
    /** The service's name in MCP's registry, `reverse.dns/name`. Without it, the name is made from publicUrl. */
    serverName: serverName(env),
    /** Whom people can ask for help. */
    support: support(env),
    databaseUrl: databaseUrl(env),
    dataDir: dataDir(env),
    requestsPerMinute: whole('REQUESTS_PER_MINUTE', 60, 1, 1_000_000_000),
    formsPerMinute: whole('FORMS_PER_MINUTE', 60, 1, 1_000_000_000),
    addressRequestsPerMinute: whole('IP_REQUESTS_PER_MINUTE', 1200, 1, 1_000_000_000),
    timeZone: timeZone(env),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['debug', 'info', 'warn', 'error', 'silent']),
    /** Addresses, subnets or Express' names (loopback, linklocal, uniquelocal) of trusted proxies. */
    trustProxy: trustedProxies(env),
    tls: tls(env),
    /** How long a stop waits for requests in flight. */
    drainSeconds: whole('DRAIN_SECONDS', 25, 0, 3600),
    /** How long a stopping process keeps serving while /readyz answers 503, so that proxies choose another process. */
    drainNoticeSeconds: whole('DRAIN_NOTICE_SECONDS', 0, 0, 3600),
    /** How many API requests and dashboard pages may run at the same time; one more gets 503. */
    inFlightMax: whole('MAX_IN_FLIGHT', 256, 1, 100_000),
    /** How many clients' connections may be open. One more closes the longest idle one. Trusted proxies' connections do not count. */
    connectionsMax: whole('MAX_CONNECTIONS', 4000, 1, 1_000_000),
    /** Where Prometheus reads the metrics. Undefined without METRICS_PORT. */
    metrics: metrics(env),
    /** How long a client may take to send a request and its headers, in milliseconds. */
    serverTimeouts: serverTimeouts(env),
    /** How long a client may stop reading a response. */
    sendTimeoutMs: whole('SEND_TIMEOUT_SECONDS', 30, 1, 3600) * 1000,
    database: poolSettings(env),
    /** The path of the backup, whose age the doctor checks and the metrics report. */
    backupFile: path(env, 'BACKUP_FILE'),
    isProduction: env.NODE_ENV === 'production',
    /** Defined if systemd runs the service as a unit of Type=notify. */
    serviceManager: serviceManager(env),
    /** The name of the person at the command line, if `--as` gives none. */
    operator: env.VAGA_OPERATOR || undefined,
    /** Signs the cookies of page sessions. */
    sessionSecret: sessionSecret(env),
  };
}

/** Returns the names of all settings by recording what readConfig reads. readConfig reads every setting, whatever the values are. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  readConfig(new Proxy<Env>({}, { get: (_env, name) => void names.add(String(name)) }));
  return names;
}

const portOf = (env: Env): number => integer(env, 'PORT', 3000, 0, 65_535);

/** Refuses what `docker --env-file` keeps of a line: its quotes, a blank or a CR at its end. Each would silently name another path. */
function path(env: Env, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!/^["'\s]|["'\s]$|\p{Cc}/u.test(text)) return text;
  throw new ConfigError(`${name} must be a path without quotes or white space around it, or control characters in it`);
}

/** Reads a secret from the variable, or from the file that NAME_FILE names. Container platforms and systemd provide secrets as files. */
function secret(env: Env, name: string): string | undefined {
  const file = path(env, `${name}_FILE`);
  if (!file) return env[name] || undefined;
  if (env[name]) throw new ConfigError(`${name}_FILE must not be set when ${name} is`);
  const text = contentOf(`${name}_FILE`, file)
    .toString()
    .replace(/\r?\n$/, '');
  if (text === '') throw new ConfigError(`${name}_FILE must name a file that is not empty`);
  if (/^["'\s\ufeff]|["'\s]$|[\r\n]/.test(text))
    throw new ConfigError(
      `${name}_FILE must name a file of one line, without a BOM, and without quotes or blanks around it`,
    );
  return text;
}

/** Reads the file that a setting names. Refuses a pipe, which would hang the start. Throws a ConfigError. */
export function contentOf(setting: string, file: string): Buffer {
  try {
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory()) throw new Error(`${quoted(file)} is a pipe or a device, not a file`);
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(`${setting} cannot be read: ${(error as Error).message}`);
  }
}

/** How far a backup's time may be in the future: on another machine, a clock may be a little ahead. */
const aheadSecondsMax = 300;

/**
 * Returns the age of the backup in seconds. Infinite if this process finds no such file, an empty one, which is no backup, or one of the
 * future, whose age is not known. Undefined without BACKUP_FILE.
 */
export function backupAgeSeconds({ backupFile }: Pick<Config, 'backupFile'>): number | undefined {
  if (backupFile === undefined) return undefined;
  try {
    const found = statSync(backupFile);
    const seconds = (Date.now() - found.mtimeMs) / 1000;
    return found.isFile() && found.size > 0 && seconds >= -aheadSecondsMax
      ? Math.max(seconds, 0)
      : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${quoted(text)}`);
}

function oneOf(env: Env, name: string, fallback: string, values: readonly string[]): string {
  const value = env[name] || fallback;
  if (values.includes(value)) return value;
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${quoted(value)}`);
}

/** Keeps the value on one line. */
const quoted = (text: string): string => JSON.stringify(text);

const proxyNames: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

const trustedProxies = ({ TRUST_PROXY = '' }: Env): string[] =>
  TRUST_PROXY.split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(trustedProxy);

function trustedProxy(entry: string): string {
  if (proxyNames.includes(entry) || isSubnet(entry)) return entry;
  if (/\/0+$/.test(entry))
    throw new ConfigError(`TRUST_PROXY must name the proxies: ${quoted(entry)} would trust everybody`);
  const hint = /^\d+$/.test(entry) ? ', not a number of hops' : '';
  throw new ConfigError(
    `TRUST_PROXY must list addresses or subnets of proxies, or ${proxyNames.join(', ')}${hint}; ${quoted(entry)} is none`,
  );
}

/** Whether an entry is an IP address or a subnet. A subnet of 0 bits does not count. */
function isSubnet(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function metrics(env: Env): { readonly host: string; readonly port: number } | undefined {
  const { METRICS_PORT: text, METRICS_HOST: host } = env;
  if (!text && host) throw new ConfigError('METRICS_PORT must be set when METRICS_HOST is');
  if (!text) return undefined;
  const address = { host: host || '127.0.0.1', port: integer(env, 'METRICS_PORT', 0, 0, 65_535) };
  if (address.port > 0 && address.port === portOf(env)) throw new ConfigError('METRICS_PORT must not be PORT');
  return address;
}

/** `watchdogMs` is 0 if systemd sets no watchdog. */
const serviceManager = (env: Env): { readonly watchdogMs: number } | undefined => {
  const watchdogMs = integer(env, 'WATCHDOG_USEC', 0, 0, Number.MAX_SAFE_INTEGER) / 1000;
  return env.NOTIFY_SOCKET ? { watchdogMs } : undefined;
};

/** With a shorter one, a healthy database seems to be away. */
const timeoutMsMin = 100;

const poolSettings = (env: Env): PoolSettings => ({
  poolSize: integer(env, 'DATABASE_POOL_SIZE', poolDefaults.poolSize, 1, 1000),
  connectTimeoutMs: integer(env, 'DATABASE_CONNECT_TIMEOUT_MS', poolDefaults.connectTimeoutMs, timeoutMsMin, 600_000),
  statementTimeoutMs: integer(
    env,
    'DATABASE_STATEMENT_TIMEOUT_MS',
    poolDefaults.statementTimeoutMs,
    timeoutMsMin,
    600_000,
  ),
  idleInTransactionTimeoutMs: integer(
    env,
    'DATABASE_TRANSACTION_TIMEOUT_MS',
    poolDefaults.idleInTransactionTimeoutMs,
    timeoutMsMin,
    600_000,
  ),
});

/** A client that synchronises reads the changes of the last five minutes again, and misses those that become visible later. */
const requestSecondsMax = 119;

function serverTimeouts(env: Env) {
  const request = integer(env, 'REQUEST_TIMEOUT_SECONDS', 30, 1, requestSecondsMax);
  const headers = integer(env, 'HEADERS_TIMEOUT_SECONDS', Math.min(10, request), 1, requestSecondsMax);
  if (headers > request) throw new ConfigError('HEADERS_TIMEOUT_SECONDS must be at most REQUEST_TIMEOUT_SECONDS');
  return { headersTimeout: headers * 1000, requestTimeout: request * 1000 };
}

function publicUrl(env: Env): string {
  const text = env.PUBLIC_URL;
  if (!text) return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // As the parser writes it: it adds the slashes that `https:example.com` lacks.
  if (url && /^https?:$/.test(url.protocol) && !/[?#@,\s]/.test(text)) return url.href.replace(/(?<!\/)\/+$/, '');
  throw new ConfigError(
    'PUBLIC_URL must be one http or https address without a query, a password, a comma or white space',
  );
}

function serverName({ SERVER_NAME: text }: Env): string | undefined {
  if (!text) return undefined;
  if (isServerName(text)) return text;
  throw new ConfigError(
    `SERVER_NAME must be like com.example/vaga, a reversed domain name and a name, not ${quoted(text)}`,
  );
}

/** Returns the contact as text for people and as a link. Free text is refused, because it would be in one language only. */
function support({ SUPPORT_CONTACT: text }: Env): { readonly text: string; readonly href: string } | undefined {
  if (!text) return undefined;
  if (/^[^\s@:/?#]+@[^\s@:/?#.]+\.[^\s@:/?#]+$/.test(text)) return { text, href: `mailto:${encodeURI(text)}` };
  if (/^\+?\d[\d ()-]{4,25}$/.test(text)) return { text, href: `tel:${text.replace(/[^+\d]/g, '')}` };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.username + url.password === '') return { text: url.host, href: url.href };
  throw new ConfigError(
    `SUPPORT_CONTACT must be an e-mail address, a telephone number or an https address, not ${quoted(text)}`,
  );
}

/** The parameters of DATABASE_URL that would silently override a setting, each with that setting. */
const ownTimeouts = {
  statement_timeout: 'DATABASE_STATEMENT_TIMEOUT_MS',
  query_timeout: 'DATABASE_STATEMENT_TIMEOUT_MS',
  // A statement that waits for a lock ends with its own timeout.
  lock_timeout: 'DATABASE_STATEMENT_TIMEOUT_MS',
  idle_in_transaction_session_timeout: 'DATABASE_TRANSACTION_TIMEOUT_MS',
};

/** Those of libpq, and the driver's own no-verify. The driver would connect without TLS for any other. */
const sslModes = /^(disable|allow|prefer|require|verify-ca|verify-full|no-verify)$/;

/** The messages leave out the value: it may contain a password. */
function databaseUrl(env: Env): string | undefined {
  const text = secret(env, 'DATABASE_URL');
  if (text === undefined) return undefined;
  // A role without a host, as libpq allows before `?host=/run/postgresql`. A parser of URLs needs a host.
  // A % without two digits means itself, as for the driver.
  const address = text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost').replace(/%(?![\da-f]{2})/gi, '%25');
  if (!isServerAddress(address))
    throw new ConfigError(
      'DATABASE_URL must be a postgresql:// address of one host; percent-encode other characters, as @ in %40',
    );
  const { searchParams } = new URL(address);
  if (!searchParams.getAll('port').every((port) => /^\d*$/.test(port) && Number(port) <= 65_535))
    throw new ConfigError('DATABASE_URL must have a port from 0 to 65535');
  if (!searchParams.getAll('sslmode').every((mode) => sslModes.test(mode)))
    throw new ConfigError('DATABASE_URL must have an sslmode of PostgreSQL, such as verify-full');
  for (const [name, setting] of Object.entries(ownTimeouts))
    if (searchParams.has(name))
      throw new ConfigError(
        `DATABASE_URL must not set ${name}, which would replace the service's: set ${setting} instead`,
      );
  return address;
}

/** Whether every part can be read. A `#` would cut the address short. */
function isServerAddress(text: string): boolean {
  if (!/^postgres(ql)?:\/\/[^#]*$/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname, pathname } = new URL(text);
  if (hostname.includes(',')) return false;
  try {
    return [username, password, hostname, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** Requires an explicit choice in production: if DATABASE_URL is forgotten, the service must not start with an empty database. */
function dataDir(env: Env): string {
  const { NODE_ENV, DATABASE_URL, DATABASE_URL_FILE } = env;
  const folder = path(env, 'DATA_DIR');
  if (NODE_ENV === 'production' && !DATABASE_URL && !DATABASE_URL_FILE && !folder)
    throw new ConfigError('NODE_ENV is production: set DATABASE_URL, or DATA_DIR for the embedded database');
  return resolve(folder || './data');
}

const secretCharactersMin = 32;

/** The message leaves out the value. */
function sessionSecret(env: Env): string | undefined {
  const text = secret(env, 'SESSION_SECRET');
  if (text === undefined || text.length >= secretCharactersMin) return text;
  throw new ConfigError(`SESSION_SECRET must have at least ${secretCharactersMin} characters`);
}

/** IANA zones whose names PostgreSQL takes for abbreviations, which have one offset all year. */
const readAsAbbreviations = /^(WET|MET|CET|EET)$/i;

function timeZone(env: Env): string {
  const zone = env.SERVICE_TIMEZONE || 'Europe/Lisbon';
  if (readAsAbbreviations.test(zone))
    throw new ConfigError(
      `SERVICE_TIMEZONE must name a place, such as Europe/Lisbon: PostgreSQL reads ${zone} without summer time`,
    );
  if (isTimeZone(zone)) return zone;
  throw new ConfigError(`SERVICE_TIMEZONE must be an IANA time zone, not ${quoted(zone)}`);
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    // Newer Node.js accepts an offset, which PostgreSQL reads with the opposite sign.
    return !/^[+-]/.test(zone);
  } catch {
    return false;
  }
}

function tls(env: Env): { readonly certFile: string; readonly keyFile: string } | undefined {
  const [certFile, keyFile] = [path(env, 'TLS_CERT_FILE'), path(env, 'TLS_KEY_FILE')];
  if (!certFile && !keyFile) return undefined;
  if (!certFile) throw new ConfigError('TLS_CERT_FILE must be set when TLS_KEY_FILE is');
  if (!keyFile) throw new ConfigError('TLS_KEY_FILE must be set when TLS_CERT_FILE is');
  return { certFile: resolve(certFile), keyFile: resolve(keyFile) };
}

/** Whether only this machine can reach a listener on that host. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);
