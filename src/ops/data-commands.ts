import type { Command } from 'commander';
import { resetSandbox } from '../actions/reset-sandbox.ts';
import { seedReference } from '../actions/seed-reference.ts';
import { parseId } from './arguments.ts';
import type { Perform } from './outcome.ts';

/** sandbox reset, seed. */
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
}
