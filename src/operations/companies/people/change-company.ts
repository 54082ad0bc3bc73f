import * as z from 'zod';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../database/transaction.ts';
import { nothingToChange, unknownCompany } from '../../../domain/errors.ts';
import { type ChangeContext, declare, type Settled, type Subject, type Unchanged } from '../../kit/declare.ts';
import { companyId, flag, reason } from '../../kit/fields.ts';
import { type Held, ifChanged, type Recorded, recordedFor, settledBy } from '../../kit/recorded.ts';
import { type CompanyRecord, findCompanyRecord, updateCompany } from '../companies-sql.ts';

/** The company of an operation. */
export interface CompanyRef {
  readonly companyId: bigint;
}

/** Finds a company. Throws `unknown_company`. */
export async function requireCompany(tx: Tx, companyId: bigint): Promise<CompanyRecord & { name: string }> {
  const company = await findCompanyRecord(tx, companyId);
  if (!company) throw unknownCompany(companyId);
  return company;
}

/**
 * Returns the subject of a form about a company. Companies may share a name, so its name has the id: Oficina (12). For the company's own
 * people, it has not. Throws `unknown_company`.
 */
export async function ofCompany({ db, actor }: Context, { companyId }: CompanyRef) {
  const company = await requireCompany(db, companyId);
  const name = actor.kind === 'user' ? company.name : `${company.name} (${companyId})`;
  return { name, values: company } satisfies Subject;
}

const by = ['operator', 'administrator'] as const;
const company = z.object({ companyId: companyId() });
const withReason = z.object({ companyId: companyId(), reason: reason().optional() });

/** The column values that remove a request for production after an administrator's decision. */
export const noRequest = { productionRequestedAt: null, productionRequestNote: null };

/** What may hold of a company already, when somebody decides. */
export const held = {
  approved: { text: 'Company {{company_id}} is already approved for production.', by: ['company.approved'] },
  unapproved: { text: 'Company {{company_id}} is not approved for production.', by: ['company.approval_withdrawn'] },
  suspended: { text: 'Company {{company_id}} is already suspended.', by: ['company.suspended'] },
  reinstated: { text: 'Company {{company_id}} is not suspended.', by: ['company.reinstated'] },
} as const satisfies Record<string, Held>;

/** The company to decide on, read in `tx`. */
interface Decided extends Pick<ChangeContext, 'now' | 'today' | 'reason'>, CompanyRef {
  readonly tx: Tx;
}

interface Decision<Result> {
  readonly result: Result;
  /** Returns what keeps the decision from changing anything. */
  readonly heldBy: (company: CompanyRecord, decided: Decided) => Promise<Held | undefined> | Held | undefined;
  readonly change: (decided: Decided) => Promise<void>;
}

/** The subject and the work of a decision on a company: it is either written and recorded, or answered with what holds already. */
export function decision<Result extends object>({ result, heldBy, change }: Decision<Result>) {
  const settledOf = async (ctx: Context, company: CompanyRecord, decided: Decided): Promise<Settled | undefined> => {
    const found = await heldBy(company, decided);
    return found && settledBy(ctx, decided.tx, decided.companyId, found);
  };
  return {
    subject: async (ctx: Context, { companyId }: CompanyRef): Promise<Subject> => {
      const subject = await ofCompany(ctx, { companyId });
      const settled = await settledOf(ctx, subject.values, { ...ctx, tx: ctx.db, companyId });
      return { ...subject, settled };
    },
    run: (ctx: ChangeContext, { companyId }: CompanyRef) =>
      recordedFor(ctx, companyId, async (tx): Promise<Recorded<Result & Unchanged>> => {
        const decided = { ...ctx, tx, companyId };
        const settled = await settledOf(ctx, await requireCompany(tx, companyId), decided);
        if (settled) return { result: { ...result, settled }, audit: null };
        await change(decided);
        return { result, audit: {} };
      }),
  };
}

/** Approves a company for production. A second approval keeps the time of the first. Throws `unknown_company`. */
export const approveCompany = declare({
  command: 'company approve',
  title: 'Approve a company for production',
  label: 'Approve for production',
  by,
  records: 'company.approved',
  input: withReason,
  done: 'Company {{company_id}} is approved for production.',
  ...decision({
    result: { productionApproved: true },
    heldBy: ({ productionApprovedAt }) => (productionApprovedAt ? held.approved : undefined),
    change: ({ tx, now, companyId }) => updateCompany(tx, companyId, { productionApprovedAt: now, ...noRequest }),
  }),
});

/** Closes production to a company from its next request; the sandbox stays as it is. Throws `unknown_company`. */
export const withdrawApproval = declare({
  command: 'company unapprove',
  title: 'Withdraw the approval for production',
  label: 'Withdraw approval',
  by,
  records: 'company.approval_withdrawn',
  dangerous:
    "Production refuses the company's requests from now on. Its published jobs stay published, its pending jobs stay in the review queue, and the sandbox is not affected.",
  input: withReason,
  done: 'Company {{company_id}} is no longer approved for production.',
  ...decision({
    result: { productionApproved: false },
    heldBy: ({ productionApprovedAt }) => (productionApprovedAt ? undefined : held.unapproved),
    change: ({ tx, companyId }) => updateCompany(tx, companyId, { productionApprovedAt: null }),
  }),
});

/** Closes both environments to a company from its next request. Throws `unknown_company`. */
export const suspendCompany = declare({
  command: 'company suspend',
  title: 'Suspend a company',
  label: 'Suspend',
  by,
  records: 'company.suspended',
  dangerous:
    "Both environments refuse the company's requests from now on. Its published jobs stay published, and its pending jobs stay in the review queue.",
  input: withReason,
  done: 'Company {{company_id}} is suspended in both environments.',
  ...decision({
    result: { suspended: true },
    heldBy: ({ suspendedAt }) => (suspendedAt ? held.suspended : undefined),
    change: ({ tx, now, companyId, reason = null }) =>
      updateCompany(tx, companyId, { suspendedAt: now, suspensionReason: reason }),
  }),
});

/** Ends the suspension of a company. Throws `unknown_company`. */
export const reinstateCompany = declare({
  command: 'company reinstate',
  title: 'End the suspension of a company',
  label: 'Reinstate',
  by,
  records: 'company.reinstated',
  input: company,
  done: 'Company {{company_id}} is reinstated.',
  ...decision({
    result: { suspended: false },
    heldBy: ({ suspendedAt }) => (suspendedAt ? undefined : held.reinstated),
    change: ({ tx, companyId }) => updateCompany(tx, companyId, { suspendedAt: null, suspensionReason: null }),
  }),
});

/** Changes only the given flags. Throws `unknown_company`, and `invalid_input` if none is given. */
export const changeCompany = declare({
  command: 'company set',
  title: 'Change verification and review',
  label: 'Change verification',
  by,
  records: 'company.changed',
  input: z.object({
    companyId: companyId(),
    verified: flag().optional().meta({ label: 'Verified', hint: 'Opens the sandbox.' }),
    autoPublish: flag().optional().meta({ label: 'Publishes its production jobs without review' }),
  }),
  subject: ofCompany,
  done: 'Company {{company_id}} is changed.',
  run: (ctx, { companyId, verified, autoPublish }) => {
    if (verified === undefined && autoPublish === undefined) throw nothingToChange();
    return recordedFor(ctx, companyId, async (tx) => {
      const company = await requireCompany(tx, companyId);
      const after = { verified: verified ?? company.verified, autoPublish: autoPublish ?? company.autoPublish };
      await updateCompany(tx, companyId, after);
      const details = { verified: after.verified, auto_publish: after.autoPublish };
      const before = { verified: company.verified, autoPublish: company.autoPublish };
      return ifChanged(before, after, { result: after, audit: { details } });
    });
  },
});
