import { isDeepStrictEqual } from 'node:util';
import { isStillActor } from '../../auth/accounts-sql.ts';
import { findNames } from '../../auth/actor-names-sql.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Tx } from '../../database/transaction.ts';
import { actorName } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { notAllowed, rejection, unknownCompany } from '../../domain/errors.ts';
import type { ChangeContext, Settled, Unchanged } from './declare.ts';
import { type AuditNote, findLatest, lockCompany, writeAudit } from './recorded-sql.ts';

/** The result of a change and its audit entry; `audit` is null if nothing changed. */
export interface Recorded<T> {
  readonly result: T;
  readonly audit: Partial<Omit<AuditNote, 'action'>> | null;
}

/** Records a change if a value is not as it was before. Otherwise, the result says that nothing has changed. */
export const ifChanged = <Value, T extends object>(
  before: Value | undefined,
  after: Value,
  { result, audit }: Recorded<T>,
): Recorded<T & Unchanged> => (isDeepStrictEqual(before, after) ? unchanged(result) : { result, audit });

/** Records nothing, and the result says so. */
export const unchanged = <T extends object>(result: T): Recorded<T & Unchanged> => ({
  result: { ...result, settled: { text: 'Nothing has changed: it was already set like this.' } },
  audit: null,
});

/** Why a decision has nothing to do: what holds already, and the actions that bring it about. */
export interface Held {
  readonly text: string;
  readonly by: readonly AuditAction[];
  /** The actions that bring about the opposite, which may also end by itself: then nobody has ended it. */
  readonly unless?: readonly AuditAction[];
}

/** Says what holds of a company already and, except to its own people, who brought it about and when. */
export async function settledBy({ actor }: Context, tx: Tx, companyId: bigint, held: Held): Promise<Settled> {
  const { text, by, unless = [] } = held;
  const params = { company_id: companyId };
  const entry = actor.kind === 'user' ? undefined : await findLatest(tx, companyId, [...by, ...unless]);
  if (!entry || unless.includes(entry.action)) return { text, params };
  const names = await findNames(tx, [{ companyId, actor: entry.actor }], [entry.actor]);
  const advice =
    entry.reason === null ? ' {{action}} by {{actor}} at {{at}}.' : ' {{action}} by {{actor}} at {{at}}: {{reason}}';
  return { text, advice, params: { ...params, ...entry }, entry: { ...entry, names } };
}

/**
 * Runs a change and writes its audit entry, with the declared action and the person's reason, in one transaction. Checks under the change's
 * locks that the person still may make it. Throws `not_allowed`, and `company_suspended` for people of a suspended company.
 */
export const recorded = <T>(ctx: ChangeContext, work: (tx: Tx) => Promise<Recorded<T>>): Promise<T> =>
  change(ctx, undefined, work);

/** Like `recorded`, for a change of one company, which stays locked until the transaction ends. Also throws `unknown_company`. */
export const recordedFor = <T>(
  ctx: ChangeContext,
  companyId: bigint,
  work: (tx: Tx) => Promise<Recorded<T>>,
): Promise<T> =>
  change(ctx, companyId, async (tx) => {
    const { result, audit } = await work(tx);
    return { result, audit: audit && { ...audit, companyId } };
  });

/** Locks the company with `companyId`. Without `companyId`, locks the person's own company if its suspension would forbid the change. */
function change<T>(
  ctx: ChangeContext,
  companyId: bigint | undefined,
  work: (tx: Tx) => Promise<Recorded<T>>,
): Promise<T> {
  const { actor, whileSuspended = false } = ctx;
  const isRefusedSuspended = actor.kind === 'user' && !whileSuspended;
  const lockedId = companyId ?? (isRefusedSuspended ? actor.companyId : undefined);
  return inTransaction(ctx.db, async (tx) => {
    const company = lockedId === undefined ? undefined : await lockCompany(tx, lockedId);
    if (isRefusedSuspended && company?.suspendedAt)
      throw rejection('company_suspended', 'Your company is suspended, so nothing can be added or changed.');
    if (companyId !== undefined && !company) throw unknownCompany(companyId);
    const { result, audit } = await work(tx);
    // This check locks the actor's account, so it comes after `work`, which locks accounts in its own order.
    if (!(await isStillActor(tx, actor))) throw notAllowed();
    const details = { ...audit?.details, ...(ctx.reason !== undefined && { reason: ctx.reason }) };
    if (audit) await writeAudit(tx, actorName(actor), ctx.now, { ...audit, action: ctx.records, details });
    return result;
  });
}
