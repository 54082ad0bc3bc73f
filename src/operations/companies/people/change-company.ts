import * as z from 'zod';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../database/transaction.ts';
import { nothingToChange, unknownCompany } from '../../../domain/errors.ts';
import { type ChangeContext, declare, type Subject } from '../../kit/declare.ts';
import { companyId, flag, reason } from '../../kit/fields.ts';
import { ifChanged, recordedFor } from '../../kit/recorded.ts';
import { type CompanyChange, type CompanyRecord, findCompanyRecord, updateCompany } from '../companies-sql.ts';

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
export async function ofCompany({ db, actor }: Context, { companyId }: CompanyRef): Promise<Subject> {
  const company = await requireCompany(db, companyId);
  const name = actor.kind === 'user' ? company.name : `${company.name} (${companyId})`;
  return { name, values: company };
}

const by = ['operator', 'administrator'] as const;
const company = z.object({ companyId: companyId() });
const withReason = z.object({ companyId: companyId(), reason: reason().optional() });

/** The column values that remove a request for production after an administrator's decision. */
export const noRequest = { productionRequestedAt: null, productionRequestNote: null };

/** Approves a company for production. A second approval keeps the time of the first. Throws `unknown_company`. */
export const approveCompany = declare({
  command: 'company approve',
  title: 'Approve a company for production',
  label: 'Approve for production',
  by,
  records: 'company.approved',
  input: withReason,
  subject: ofCompany,
  done: 'Company {{company_id}} is approved for production.',
  run: (ctx, input) =>
    changeOnce(ctx, input, { productionApproved: true }, ({ productionApprovedAt }) =>
      productionApprovedAt === null ? { productionApprovedAt: ctx.now, ...noRequest } : undefined,
    ),
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
  subject: ofCompany,
  done: 'Company {{company_id}} is no longer approved for production.',
  run: (ctx, input) =>
    changeOnce(ctx, input, { productionApproved: false }, ({ productionApprovedAt }) =>
      productionApprovedAt === null ? undefined : { productionApprovedAt: null },
    ),
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
  subject: ofCompany,
  done: 'Company {{company_id}} is suspended in both environments.',
  run: (ctx, input) =>
    changeOnce(ctx, input, { suspended: true }, ({ suspendedAt }) =>
      suspendedAt === null ? { suspendedAt: ctx.now, suspensionReason: input.reason ?? null } : undefined,
    ),
});

/** Ends the suspension of a company. Throws `unknown_company`. */
export const reinstateCompany = declare({
  command: 'company reinstate',
  title: 'End the suspension of a company',
  label: 'Reinstate',
  by,
  records: 'company.reinstated',
  input: company,
  subject: ofCompany,
  done: 'Company {{company_id}} is reinstated.',
  run: (ctx, input) =>
    changeOnce(ctx, input, { suspended: false }, ({ suspendedAt }) =>
      suspendedAt === null ? undefined : { suspendedAt: null, suspensionReason: null },
    ),
});

/** Writes and records the change that `changeOf` returns. If it returns undefined, nothing is written. Throws `unknown_company`. */
export function changeOnce<Result>(
  ctx: ChangeContext,
  { companyId }: CompanyRef,
  result: Result,
  changeOf: (company: CompanyRecord) => CompanyChange | undefined,
): Promise<Result> {
  return recordedFor(ctx, companyId, async (tx) => {
    const change = changeOf(await requireCompany(tx, companyId));
    if (change) await updateCompany(tx, companyId, change);
    return { result, audit: change ? {} : null };
  });
}

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
      return { result: after, audit: ifChanged(before, after, { details }) };
    });
  },
});
