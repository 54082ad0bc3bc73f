import { storedNouns } from '../../../../generated/stored-fields.ts';
import type { ApiContext } from '../../../context.ts';
import { type Operation, operations } from '../../../contract/document.ts';
import type { PlainRequest } from '../../../contract/types.ts';
import { inTransaction, type Tx } from '../../../database/transaction.ts';
import type { Tenant } from '../../../domain/environment.ts';
import { forbidden, notFound, unavailable } from '../../../domain/errors.ts';
import { asSent, changesOf, type Fields, newRow, type Rules, rulesOf } from '../../../domain/field-rules.ts';
import { isJsonObject } from '../../../domain/json-object.ts';
import type { FieldError } from '../../../domain/message.ts';
import { lastPageOf } from '../clauses-sql.ts';
import { type Check, checkFields, type FieldsContext, refuseChanged, refuseFields } from './check-fields.ts';
import {
  createdGone,
  createOrReplay,
  differingFields,
  type FieldHashes,
  fieldHashes,
  repeatableKey,
  replayOf,
  usedElsewhere,
  usedWithOther,
} from './fingerprint.ts';
import { holdRights } from './held-rights-sql.ts';
import { assertMatches, isConditional } from './if-match.ts';
import { listedReply } from './listed-reply.ts';
import { locationOf } from './location.ts';
import { retryChange } from './retry-change.ts';
import type { StoredRow, Table } from './stored-rows-sql.ts';
import * as queries from './stored-rows-sql.ts';

/** The strong ETag of a row. It is made of the row's own fields, so rows in lists have one, too. */
export const etagOf = ({ id, updated_at }: StoredRow): string => `"${id}/${updated_at}"`;
const isEtag = (tag: string): boolean => /^"\d+\/[\d:.TZ-]+"$/.test(tag);

type Noun = (typeof storedNouns)[Table];

interface Resource {
  readonly table: Table;
  /** The maximum number of rows that a company may have in each environment. */
  readonly rowsMax: number;
}

/**
 * The operations of a resource that the contract describes completely, by `x-stored` and the rules of its fields. `Row` is the contract's
 * schema of a returned row. Jobs have operations of their own, because they have more rules: review, quota, districts.
 */
export class StoredResource<Row extends StoredRow = StoredRow> {
  readonly table: Table;
  /** The name of one row, also used as the `reason` of a 404. */
  readonly noun: Noun;
  readonly rules: Rules;
  readonly #rowsMax: number;

  constructor({ table, rowsMax }: Resource) {
    this.table = table;
    this.noun = storedNouns[table];
    this.rules = rulesOf(table);
    this.#rowsMax = rowsMax;
  }

  /** The contract's operation that creates, changes or deletes a row. */
  operationOf(method: 'post' | 'patch' | 'delete'): Operation {
    const own = [...operations.values()].filter((one) => one.resource === this.noun);
    const row = own.find((one) => one.method === 'patch' && one.path.endsWith('}'))?.path;
    const path = method === 'post' ? row?.replace(/\/[^/]+$/, '') : row;
    const found = own.find((one) => one.method === method && one.path === path);
    if (!found) throw new Error(`the contract has no ${method} of a ${this.noun}`);
    return found;
  }

  /** Lists one page, newest first. A page past the last is empty. */
  async list({ db, actor, wanted }: ApiContext, { page, per_page }: { page: number; per_page: number }) {
    const { rows, total } = await queries.listRows<Row>(
      db,
      this.table,
      actor.tenant,
      { page, perPage: per_page },
      wanted,
    );
    const last_page = lastPageOf(total, per_page);
    return listedReply(rows, { current_page: page, per_page, total, last_page }, (row) => row);
  }

  /** Returns one row. Throws 404. */
  async get(ctx: ApiContext, id: number) {
    return { status: 200 as const, ...answer(await this.#own(ctx, id)) };
  }

  /** Creates a row, or replays the answer of a used key. A failed create may repeat an earlier success, so it looks up the key before it throws. */
  async create(ctx: ApiContext, key: string, body: Fields) {
    return createOrReplay(
      () => this.checked(ctx, body),
      () => this.#replayed(ctx, key, body),
      (fields) => this.#created(ctx, key, body, fields),
    );
  }

  async #created(ctx: ApiContext, key: string, body: Fields, fields: Fields) {
    const row = await this.#inserted(ctx, key, body, fields);
    if (!row) {
      const earlier = await this.#replayed(ctx, key, body);
      if (earlier) return earlier;
      throw unavailable('database', 'What used the same key is gone meanwhile; try again.', 1);
    }
    ctx.about.id = row.id;
    const { headers, body: made } = answer(row);
    return { status: 201 as const, headers: { ...headers, Location: locationOf(ctx, this.noun, row.id) }, body: made };
  }

  /** Answers a create that breaks the contract: replays an earlier success with its key, or throws 422. */
  async refuseCreate(ctx: ApiContext, request: Pick<PlainRequest, 'header' | 'body'>, known: readonly FieldError[]) {
    const { body } = request;
    const key = repeatableKey(request);
    const earlier = key === undefined ? undefined : await this.#replayed(ctx, key, body);
    return earlier ?? refuseFields(this.rules, body, known, newRow(this.rules), this.#checkOf(ctx));
  }

  /** Changes the supplied fields that differ from the stored values. Throws 404, 412 `changed`, 422, and 503 after ten lost attempts. */
  async update(ctx: ApiContext, id: number, ifMatch: string | undefined, body: Fields) {
    return retryChange(this.noun, async () => {
      const row = await this.#own(ctx, id);
      this.#assertMatches(ifMatch, row);
      const supplied = changesOf(this.rules, row, body);
      const changes = changesOf(this.rules, row, await this.checked(ctx, supplied, asSent(this.rules, row)));
      if (Object.keys(changes).length === 0) return { status: 200 as const, ...answer(row) };
      const changed = await this.#writing(ctx, (tx) =>
        queries.updateRow(tx, this.table, ctx.actor.tenant, row, changes, ctx.now),
      );
      return changed && { status: 200 as const, ...answer(changed) };
    });
  }

  /** Answers an update that breaks the contract. Runs the update if every wrong field equals its stored value; otherwise throws 404 or 422. */
  async refuseUpdate(
    ctx: ApiContext,
    id: unknown,
    { header, body }: Pick<PlainRequest, 'header' | 'body'>,
    known: readonly FieldError[],
  ) {
    const row = Number.isSafeInteger(id) ? await this.#own(ctx, Number(id)) : undefined;
    if (!row || !isJsonObject(body)) return refuseFields(this.rules, body, known, 'unknown', this.#checkOf(ctx));
    await refuseChanged(this.rules, asSent(this.rules, row), body, known, this.#checkOf(ctx));
    // What is wrong with a header or the path is in `known`, too.
    return this.update(ctx, row.id, header['If-Match'] as string | undefined, body);
  }

  #checkOf =
    (ctx: FieldsContext): Check =>
    (...given) =>
      this.checked(ctx, ...given);

  /** Deletes a row permanently. Throws 404, 412 `changed`, and 503 after ten lost attempts. */
  async remove(ctx: ApiContext, id: number, ifMatch: string | undefined) {
    return retryChange(this.noun, async () => {
      const row = isConditional(ifMatch) ? await this.#own(ctx, id) : undefined;
      if (row) this.#assertMatches(ifMatch, row);
      const isDeleted = await this.#writing(ctx, (tx) => queries.deleteRow(tx, this.table, ctx.actor.tenant, id, row));
      if (isDeleted) return { status: 204 as const };
      if (!row) throw notFound(this.noun);
      return undefined;
    });
  }

  /** Runs a write that holds the caller's rights. */
  #writing<T>(ctx: ApiContext, write: (tx: Tx) => Promise<T>): Promise<T> {
    return inTransaction(ctx.db, async (tx) => {
      await holdRights(tx, ctx);
      return write(tx);
    });
  }

  #assertMatches(ifMatch: string | undefined, row: Row): void {
    assertMatches(ifMatch, { ETag: etagOf(row) }, { noun: this.noun, isOurs: isEtag });
  }

  async #own({ db, actor }: ApiContext, id: number): Promise<Row> {
    const row = await queries.findRow<Row>(db, this.table, actor.tenant, id);
    if (!row) throw notFound(this.noun);
    return row;
  }

  /** Checks the fields of a row by checkFields. */
  checked = (
    ctx: FieldsContext,
    fields: Fields,
    stored?: Fields | 'unknown',
    known?: readonly FieldError[],
  ): Promise<Fields> => checkFields(ctx, this.rules, fields, { stored, known });

  /** Inserts a row and binds the idempotency key to it. Returns undefined if the key is used. */
  #inserted(ctx: ApiContext, key: string, body: Fields, fields: Fields): Promise<Row | undefined> {
    const { now } = ctx;
    const { tenant } = ctx.actor;
    return inTransaction(ctx.db, async (tx) => {
      await holdRights(tx, ctx);
      if (!(await queries.claimKey(tx, tenant, key, { resource: this.table, hashes: fieldHashes(body), now })))
        return undefined;
      const made = await this.insert(tx, tenant, fields, now);
      await queries.bindKey(tx, tenant, key, made.id);
      return made;
    });
  }

  /** Inserts a row. The transaction must hold the company's lock, or simultaneous inserts could exceed the limit. Throws 403 `quota`. */
  async insert(tx: Tx, tenant: Tenant, fields: Fields, now: Date): Promise<Row> {
    const [limit, used] = [this.#rowsMax, await queries.countRows(tx, this.table, tenant)];
    if (used >= limit)
      throw forbidden('quota', `There are already ${limit} ${this.table}.`, { limit, used, period_end: null });
    return queries.insertRow<Row>(tx, this.table, tenant, fields, now);
  }

  /** Answers a create whose key is used. Throws 409 for different JSON and 410 for a removed row. Returns undefined if the key is unused. */
  async #replayed(ctx: ApiContext, key: string, json: unknown) {
    const claim = await queries.findClaim(ctx.db, ctx.actor.tenant, key);
    if (!claim) return undefined;
    if (claim.resource !== this.table) throw usedElsewhere(this.noun, json);
    const id = Number(claim.resourceId);
    ctx.about.id = id;
    const differing = differingFields(claim.fieldHashes as FieldHashes, json);
    if (differing.length > 0) {
      const text = `This {{key}} was used with different JSON; use another key for another ${this.noun}.`;
      throw usedWithOther(text, differing);
    }
    const row = await queries.findRow<Row>(ctx.db, this.table, ctx.actor.tenant, id);
    if (!row) throw createdGone(this.noun);
    return replayOf(answer(row));
  }
}

const answer = <Row extends StoredRow>(row: Row) => ({ headers: { ETag: etagOf(row) }, body: { data: row } });
