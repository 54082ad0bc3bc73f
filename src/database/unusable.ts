import { nodeUnavailable } from './citus/node-errors.ts';
import { DatabaseError, isUnavailable, originalOf } from './database-errors.ts';

export const fixOfReadOnly = 'point DATABASE_URL at the primary, and see default_transaction_read_only';

/** The next step by the error's code or message: the first line that matches. */
const steps: readonly (readonly [error: RegExp, fix: string])[] = [
  [
    /^53300\b/,
    'end connections that nobody needs, or raise max_connections, or CONNECTION LIMIT of the role or the database if the message names it',
  ],
  [
    /^28000\b.*(no encryption|SSL off)/,
    'set sslmode in DATABASE_URL, or let pg_hba.conf of the server admit connections without TLS',
  ],
  [/^28/, 'correct the role and the password in DATABASE_URL, or pg_hba.conf of the server'],
  [/^3D000\b/, 'correct the name of the database in DATABASE_URL, or create the database'],
  [/^42501\b.*row-level security/, 'ALTER TABLE ... DISABLE ROW LEVEL SECURITY for the table that the message names'],
  [/^42501\b/, 'give the role its rights again, or use the one of scripts/deploy/install.md'],
  [/^57P0[1-3]\b/, 'wait until the server has started, and try again'],
  [
    /certificate|CERT|^(ERR_(SSL|TLS|OSSL)\w*|EPROTO)\b|\b(SSL|TLS|ssl|tls)\b|, (open|read) '/,
    'correct sslmode and the files of certificates in DATABASE_URL, or ssl of the server',
  ],
  [/^(57014|55P03)\b|query read timeout/i, 'look for locks and load in pg_stat_activity, and try again'],
  [/^25006\b|during recovery$/, fixOfReadOnly],
  [/^E[MN]FILE\b/, 'raise the limit of open files of this process'],
  [/^53100\b/, 'free space on the disk of the database server, and try again'],
  [/^40/, 'try again'],
  [/^(ENOTFOUND|EAI_AGAIN)\b/, 'correct the host in DATABASE_URL, or the name service of this machine'],
  [
    /^(E[A-Z]+|08\w{3}|P100[12]|P1017)\b|^ (connection terminated|timeout e)/i,
    'start the server, or correct the host and the port in DATABASE_URL; a firewall may be in between',
  ],
];

function stepAfter(code: string, message: string): string {
  if (nodeUnavailable.test(message)) return 'start the node that is away, or wait until it answers, and try again';
  return steps.find(([known]) => known.test(`${code} ${message}`))?.[1] ?? "try again, and see the server's log";
}

/** A database that cannot be used: why, and the next step. */
export class Unusable extends DatabaseError {
  readonly found: string;
  readonly fix: string;

  constructor(error: unknown, fix?: string) {
    const { code, message } = originalOf(error);
    const step = fix ?? stepAfter(code, message);
    super(`the database cannot be used: ${message}; ${step}`);
    this.found = message;
    this.fix = step;
  }
}

/** Returns a DatabaseError that says why a database cannot be used, and the next step. `fix` is the step, whatever the error. */
export const unusable = (error: unknown, fix?: string): DatabaseError =>
  error instanceof DatabaseError ? error : new Unusable(error, fix);

/** Whether the error is about the database rather than the work: it does not answer, takes no writes or refuses the role. */
export const isUnusable = (error: unknown): boolean => isUnavailable(error) || originalOf(error).code === '42501';
