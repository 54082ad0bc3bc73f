import * as z from 'zod';
import { sandboxCapacity } from '../../../domain/eligibility.ts';
import { declare, declareShow } from '../../kit/declare.ts';
import { companyId, confirmation } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { storesOthers } from '../company-data-sql.ts';
import { clearSandbox, readSandboxUsage } from '../usage-sql.ts';

/**
 * Deletes the sandbox's jobs, other resources and idempotency keys, which restores its capacity (section 1). Credentials stay.
 * A simultaneous create happens entirely before or after the reset. Throws `unknown_company`.
 */
export const resetSandbox = declare({
  command: 'sandbox reset',
  title: "Delete a company's sandbox jobs",
  label: 'Reset the sandbox',
  by: ['operator', 'main account'],
  records: 'sandbox.reset',
  dangerous: storesOthers
    ? 'Deletes all jobs, other resources and idempotency keys in the sandbox. This cannot be undone. Credentials and production are not affected.'
    : 'Deletes all jobs and idempotency keys in the sandbox. This cannot be undone. Credentials and production are not affected.',
  input: z.object({ companyId: companyId(), word: confirmation('RESET').meta({ label: 'Type RESET' }) }),
  done: storesOthers
    ? 'The sandbox was reset. Jobs deleted: {{jobs}}, other resources: {{others}}, idempotency keys: {{keys}}.'
    : 'The sandbox was reset. Jobs deleted: {{jobs}}, idempotency keys: {{keys}}.',
  run: (ctx, { companyId }) =>
    recordedFor(ctx, companyId, async (tx) => {
      const { deleted, isChanged } = await clearSandbox(tx, companyId);
      const { jobs, keys, ...others } = deleted;
      return {
        result: { jobs, keys, others: Object.values(others).reduce((sum, rows) => sum + rows, 0), deleted },
        audit: isChanged ? { environment: 'sandbox', details: deleted } : null,
      };
    }),
  shows: ({ deleted }, { companyId }) => ({
    company_id: companyId,
    ...Object.fromEntries(Object.entries(deleted).map(([name, rows]) => [`${name}_removed`, rows])),
  }),
});

/** `used` is the number of jobs created since the last reset. */
export const showSandbox = declareShow({
  command: 'sandbox show',
  title: "Show how much of a company's sandbox is used",
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId() }),
  read: async (ctx, { companyId }) => ({
    used: await readSandboxUsage(ctx.db, companyId),
    capacity: sandboxCapacity,
  }),
});
