import type { Db } from '../database/open.ts';
import type { Log } from '../log.ts';
import { touchCredential } from '../queries/credentials.ts';
import type { Authenticated } from './authenticate.ts';

const writtenEveryMs = 60_000;

/** Remembers when credentials were last used, off the request's way and at most once a minute each. */
export class LastUse {
  readonly #db: Db;
  readonly #log: Log;
  readonly #writing = new Map<number, Promise<void>>();

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  note({ tenant, credential }: Authenticated, now: Date): void {
    const { id, lastUsedAt } = credential;
    if (this.#writing.has(id) || (lastUsedAt && now.getTime() - Date.parse(lastUsedAt) < writtenEveryMs)) return;
    const write = touchCredential(this.#db, tenant.companyId, id, now)
      .catch((error: unknown) => this.#log.warn({ error }, 'last use of a credential was not written'))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, write);
  }

  /** Resolves when what has been noted is written. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
