import { endMaintenance, startMaintenance } from '../operations/maintenance/set-maintenance.ts';
import { seedReference } from '../operations/reference/seed-reference.ts';
import { resetSandbox } from '../operations/sandbox/reset-sandbox.ts';
import { optional, parseId, parseWholeNumber, required, type Verb, verb } from './command.ts';

const reset = verb<{ readonly company: bigint }>({
  name: 'reset',
  description: "delete a company's sandbox jobs and idempotency keys; its credentials stay",
  options: [required('--company <id>', 'ID of the company', parseId)],
  examples: ['sandbox reset --company 12'],
  run: async (ctx, { company }) => {
    const { jobs, keys } = await resetSandbox(ctx, { companyId: company });
    const data = { company_id: Number(company), jobs_removed: jobs, keys_removed: keys };
    return { data, text: `company ${company}: ${jobs} sandbox jobs and ${keys} idempotency keys removed` };
  },
});

export const seed = verb({
  name: 'seed',
  description: 'insert missing plans, districts and categories; existing ones stay unchanged',
  examples: ['seed'],
  run: async (ctx) => {
    const { inserted } = await seedReference(ctx);
    return { data: { inserted }, text: `${inserted} rows of reference data inserted` };
  },
});

const on = verb<{ readonly retryAfter: number }>({
  name: 'on',
  description: 'answer 503 on the API of every process, within a second',
  options: [optional('--retry-after <seconds>', 'Retry-After for clients', parseWholeNumber).default(60)],
  examples: ['maintenance on --retry-after 300'],
  run: async (ctx, { retryAfter }) => {
    await startMaintenance(ctx, { retryAfterSeconds: retryAfter });
    return { data: { maintenance: true, retry_after_seconds: retryAfter }, text: 'the API answers 503' };
  },
});

const off = verb({
  name: 'off',
  description: 'open the API again',
  examples: ['maintenance off'],
  run: async (ctx) => {
    await endMaintenance(ctx);
    return { data: { maintenance: false }, text: 'the API is open' };
  },
});

export const sandboxVerbs: readonly Verb[] = [reset];
export const maintenanceVerbs: readonly Verb[] = [on, off];
