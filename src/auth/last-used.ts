import type { Database } from '../database/open.ts';
import type { Tenant } from '../domain/environment.ts';
import type { Log } from '../log.ts';
import { type CredentialRecord, touchCredential } from './credential-lookup-sql.ts';

const intervalMs = 60_000;

/** Writes when credentials were last used: in the background, at most once a minute per credential. */
export class LastUsed {
  readonly #database: Pick<Database, 'connectionsFor'>;
  readonly #log: Log;
  readonly #writing = new Map<number, Promise<void>>();

  constructor(database: Pick<Database, 'connectionsFor'>, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  record({ companyId }: Tenant, { id, lastUsedAt }: CredentialRecord, now: Date): void {
    if (this.#writing.has(id) || (lastUsedAt && now.getTime() - Date.parse(lastUsedAt) < intervalMs)) return;
    const write = this.#database
      .connectionsFor(companyId)
      .then(({ db }) => touchCredential(db, companyId, id, now))
      .catch((error: unknown) => this.#log.warn({ error }, 'last use of a credential was not written'))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, write);
  }

  /** Resolves when every pending write has ended. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
