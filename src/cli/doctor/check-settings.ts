import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, isLoopback, settingNames } from '../../config.ts';
import { firstLine } from '../../database/database-errors.ts';
import { editsBetween } from '../../domain/nearest.ts';
import type { Env } from '../command-of.ts';
import { type Finding, fine, orFine, wrong } from './finding.ts';

/** Finds settings that the service accepts but that conflict with each other. */
export function checkSettings(config: Config): Finding[] {
  const { host, publicUrl, tls, trustProxy, databaseUrl, sessionSecret, isProduction } = config;
  const isPublic = publicUrl !== '' || !isLoopback(host);
  const seesHttps = tls !== undefined || trustProxy.length > 0;
  const unread = unreadParameters(databaseUrl);
  const settings = orFine(
    [
      !seesHttps &&
        isPublic &&
        wrong(
          'settings',
          'requests from outside are refused, because the service cannot see whether they used https',
          'set TRUST_PROXY to the address of the proxy, or TLS_CERT_FILE and TLS_KEY_FILE',
        ),
      publicUrl.startsWith('http:') &&
        wrong('settings', 'PUBLIC_URL is an http address', 'set PUBLIC_URL to the https address that clients use'),
      publicUrl === '' &&
        isPublic &&
        wrong('settings', 'PUBLIC_URL is not set', 'set PUBLIC_URL to the https address that clients use'),
      ...unread.unknown.map((name) =>
        wrong(
          'settings',
          `DATABASE_URL has the parameter ${name}, which nothing reads`,
          'remove it; for a schema, set search_path of the roles',
        ),
      ),
      databaseUrl === undefined &&
        isPublic &&
        !isProduction &&
        wrong('settings', 'a demo company is created, and its random passwords are printed', 'set NODE_ENV=production'),
    ],
    'settings',
    sessionSecret === undefined ? 'valid' : 'valid; SESSION_SECRET is no longer needed a day after an upgrade',
  );
  const ofOthers = unread.libpqOnly.map((name) =>
    fine('settings', `the service does not read ${name} of DATABASE_URL, only pg_dump and psql do`),
  );
  return [...settings, ...ofOthers];
}

/** The parameters that pg reads, in its connection-parameters.js and in pg-connection-string. */
const ofDriver =
  /^((fallback_)?application_name|client_encoding|host|options|password|port|replication|ssl|ssl(cert|key|mode|negotiation|rootcert)|uselibpqcompat|user)$/;

/** Other parameters of libpq. */
const ofLibpq =
  /^(channel_binding|connect_timeout|dbname|gss(delegation|encmode|lib)|hostaddr|keepalives(_\w+)?|krbsrvname|load_balance_hosts|(max|min)_protocol_version|oauth_\w+|passfile|require_?(auth|peer)|scram_\w+|service(file)?|ssl[a-z]+|ssl_\w+|target_session_attrs|tcp_user_timeout)$/;

/** The parameters of DATABASE_URL that the service does not read: those of pg_dump and psql, and those of other drivers, such as Prisma's `schema`. */
function unreadParameters(databaseUrl: string | undefined): { libpqOnly: string[]; unknown: string[] } {
  const names = databaseUrl === undefined ? [] : [...new Set(new URL(databaseUrl).searchParams.keys())];
  const unread = names.filter((name) => !ofDriver.test(name));
  return {
    libpqOnly: unread.filter((name) => ofLibpq.test(name)),
    unknown: unread.filter((name) => !ofLibpq.test(name)),
  };
}

/** Settings with shorter names, such as PORT, are left out: variables of other programs have similar names. */
const lettersMin = 8;
const editsMax = 2;

const singular = (name: string): string => name.replace(/IES(?=_|$)/g, 'Y');

/** Finds variables whose name looks like a misspelling of a setting that is not set. */
export function checkNames(env: Env): Finding[] {
  const known = [...settingNames()];
  const unset = known.filter((name) => !env[name] && name.length >= lettersMin);
  return Object.keys(env).flatMap((name) => {
    const meant = known.includes(name)
      ? undefined
      : unset.find((other) => editsBetween(singular(name), singular(other)) <= editsMax);
    return meant === undefined ? [] : [wrong('settings', `${name} is not a setting`, `rename it if ${meant} is meant`)];
  });
}

/** Finds the addresses of the settings on which this machine cannot listen, on a port that is free. */
export async function checkAddresses({ host, metrics }: Config): Promise<Finding[]> {
  const problems = [];
  for (const [name, address] of [
    ['HOST', host] as const,
    ...(metrics ? [['METRICS_HOST', metrics.host] as const] : []),
  ]) {
    const server = createServer();
    const listening = once(server.listen(0, address), 'listening');
    const reason = await listening.then(() => undefined, firstLine);
    if (reason !== undefined)
      problems.push(wrong('settings', `${name} cannot be used: ${reason}`, 'set it to an address of this machine'));
    server.close();
  }
  return problems;
}
