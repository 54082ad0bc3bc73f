import * as z from 'zod';
import { inTransaction } from '../../../database/transaction.ts';
import { invalidField } from '../../../domain/errors.ts';
import { declare, declareFile } from '../../kit/declare.ts';
import { companyId, line, staffReason } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { lockCompany } from '../../kit/recorded-sql.ts';
import { updateCompany } from '../companies-sql.ts';
import { deleteCompany, deleteRows, readCompany, storesOthers } from '../company-data-sql.ts';
import { ofCompany, requireCompany } from './change-company.ts';

const recordedExport = { records: 'company.exported', whileSuspended: true } as const;

/**
 * Exports the data stored about a company as JSON lines, and records the export. `record` names the kind of a line. Leaves out secrets,
 * idempotency keys, posting counts and page sessions. Throws `unknown_company`.
 */
export const exportCompany = declareFile({
  command: 'company export',
  title: 'Export everything of a company',
  label: 'Export',
  by: ['operator', 'administrator', 'main account'],
  ...recordedExport,
  input: z.object({ companyId: companyId() }),
  subject: ofCompany,
  read: async (ctx, ref) => {
    const done = { result: undefined, audit: ctx.isRepeated ? null : {} };
    await recordedFor({ ...ctx, ...recordedExport }, ref.companyId, async () => done);
    const lines = readCompany(ctx.db, ref.companyId, { hasStaff: ctx.actor.kind !== 'user' });
    return { name: `company-${ref.companyId}.jsonl`, type: 'application/jsonl', lines };
  },
});

/**
 * Suspends a company and deletes all its data except the audit trail, in many transactions. The last one deletes the company and records
 * the erasure, so an interrupted erasure can be repeated. Throws `unknown_company`, and `invalid_input` if `name` is not the company's.
 */
export const eraseCompany = declare({
  command: 'company erase',
  title: 'Erase a company',
  label: 'Erase',
  by: ['operator', 'administrator'],
  records: 'company.erased',
  dangerous: storesOthers
    ? 'Deletes the company with its people, credentials, jobs, other resources, history and requests for good. Export it first. The audit trail stays, without names and e-mail addresses. If the deletion is interrupted, the company stays suspended: erase it again.'
    : 'Deletes the company with its people, credentials, jobs, history and requests for good. Export it first. The audit trail stays, without names and e-mail addresses. If the deletion is interrupted, the company stays suspended: erase it again.',
  input: z.object({
    companyId: companyId(),
    name: line(255).meta({ label: 'Name', hint: "The company's exact name, to confirm." }),
    reason: staffReason().optional(),
  }),
  subject: async (ctx, ref) => ({ name: (await ofCompany(ctx, ref)).name }),
  done: 'Company {{company_id}} is erased.',
  run: async (ctx, { companyId, name }) => {
    const company = await requireCompany(ctx.db, companyId);
    if (company.name.trim() !== name) throw invalidField('name', "must be the company's name");
    await inTransaction(ctx.db, async (tx) => {
      const locked = await lockCompany(tx, companyId);
      if (locked) await updateCompany(tx, companyId, { suspendedAt: locked.suspendedAt ?? ctx.now });
    });
    await deleteRows(ctx.db, companyId);
    return recordedFor(ctx, companyId, async (tx) => {
      await deleteCompany(tx, companyId);
      return { result: {}, audit: {} };
    });
  },
});
