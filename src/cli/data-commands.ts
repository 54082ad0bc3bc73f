import type { Command } from 'commander';
import { endMaintenance, startMaintenance } from '../operations/maintenance/set-maintenance.ts';
import { seedReference } from '../operations/reference/seed-reference.ts';
import { resetSandbox } from '../operations/sandbox/reset-sandbox.ts';
import { parseId, parseWholeNumber } from './arguments.ts';
import type { Perform } from './outcome.ts';

/** sandbox reset, seed, maintenance on and off. */
export function addDataCommands(program: Command, perform: Perform): void {
  const sandbox = program.command('sandbox').description("companies' sandboxes");
  sandbox
    .command('reset')
    .description("clear a company's sandbox jobs and idempotency keys; credentials stay")
    .requiredOption('--company <id>', 'id of the company', parseId)
    .addHelpText('after', '\nExample:\n  $ ops sandbox reset --company 12')
    .action(({ company }: { readonly company: bigint }) =>
      perform(async (ctx) => {
        const { jobs, keys } = await resetSandbox(ctx, { companyId: company });
        const data = { company_id: Number(company), jobs_removed: jobs, keys_removed: keys };
        return { data, text: `company ${company}: ${jobs} sandbox jobs and ${keys} idempotency keys removed` };
      }),
    );
  program
    .command('seed')
    .description('insert the plans, districts and categories that are missing; those that are there stay as they are')
    .addHelpText('after', '\nExample:\n  $ ops seed')
    .action(() =>
      perform(async (ctx) => {
        const { inserted } = await seedReference(ctx);
        return { data: { inserted }, text: `${inserted} rows of reference data inserted` };
      }),
    );
  addMaintenance(program, perform);
}

function addMaintenance(program: Command, perform: Perform): void {
  const maintenance = program.command('maintenance').description('close and open the API; health and pages stay up');
  maintenance
    .command('on')
    .description('answer 503 on the API of every process, within a second')
    .option('--retry-after <seconds>', 'what clients are told to wait', parseWholeNumber, 60)
    .addHelpText('after', '\nExample:\n  $ ops maintenance on --retry-after 300')
    .action(({ retryAfter }: { readonly retryAfter: number }) =>
      perform(async (ctx) => {
        await startMaintenance(ctx, { retryAfterSeconds: retryAfter });
        return { data: { maintenance: true, retry_after_seconds: retryAfter }, text: 'the API answers 503' };
      }),
    );
  maintenance
    .command('off')
    .description('open the API again')
    .addHelpText('after', '\nExample:\n  $ ops maintenance off')
    .action(() =>
      perform(async (ctx) => {
        await endMaintenance(ctx);
        return { data: { maintenance: false }, text: 'the API is open' };
      }),
    );
}
