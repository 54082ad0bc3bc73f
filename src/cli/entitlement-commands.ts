import type { Command } from 'commander';
import { endComplimentary, grantComplimentary } from '../operations/companies/grant-complimentary.ts';
import { setSubscription } from '../operations/companies/set-subscription.ts';
import { parseId, parseWholeNumber } from './arguments.ts';
import type { Perform } from './outcome.ts';

interface GrantOptions {
  readonly id: bigint;
  readonly limit: number;
  readonly until?: string;
}

/** What opens production to a company: company subscribe, unsubscribe, grant, end-grant. */
export function addEntitlementCommands(company: Command, perform: Perform): void {
  addSubscribe(company, perform);
  addUnsubscribe(company, perform);
  addGrant(company, perform);
  addEndGrant(company, perform);
}

function addSubscribe(company: Command, perform: Perform): void {
  company
    .command('subscribe')
    .description('put a company on a plan; a change of plan keeps the day on which the month of postings begins')
    .requiredOption('--id <id>', 'id of the company', parseId)
    .requiredOption('--plan <plan>', 'name of the plan (see: plan list)')
    .addHelpText('after', '\nExample:\n  $ ops company subscribe --id 12 --plan VIP')
    .action(({ id, plan }: { readonly id: bigint; readonly plan: string }) =>
      perform(async (ctx) => {
        const subscription = await setSubscription(ctx, { companyId: id, plan });
        const data = {
          company_id: Number(id),
          plan: subscription?.plan ?? null,
          started_on: subscription?.startedOn ?? null,
        };
        return { data, text: `company ${id}: plan ${data.plan}, counted from ${data.started_on}` };
      }),
    );
}

function addUnsubscribe(company: Command, perform: Perform): void {
  company
    .command('unsubscribe')
    .description('end the subscription of a company now')
    .requiredOption('--id <id>', 'id of the company', parseId)
    .addHelpText('after', '\nExample:\n  $ ops company unsubscribe --id 12')
    .action(({ id }: { readonly id: bigint }) =>
      perform(async (ctx) => {
        await setSubscription(ctx, { companyId: id, plan: null });
        return { data: { company_id: Number(id), plan: null }, text: `company ${id}: no plan` };
      }),
    );
}

function addGrant(company: Command, perform: Perform): void {
  company
    .command('grant')
    .description('give complimentary production access, in place of a grant that is there')
    .requiredOption('--id <id>', 'id of the company', parseId)
    .requiredOption('--limit <postings>', 'postings a month; -1 means unlimited', parseWholeNumber)
    .option('--until <date>', 'last day on which it holds, YYYY-MM-DD; without it, it has no end')
    .addHelpText(
      'after',
      '\nExamples:\n  $ ops company grant --id 12 --limit 20 --until 2027-06-30\n  $ ops company grant --id 12 --limit -1',
    )
    .action(({ id, limit, until }: GrantOptions) =>
      perform(async (ctx) => {
        const grant = await grantComplimentary(ctx, { companyId: id, monthlyLimit: limit, lastDay: until });
        const { monthlyLimit, startedOn, expiresOn } = grant;
        const data = { company_id: Number(id), limit: monthlyLimit, started_on: startedOn, until: expiresOn };
        const postings = monthlyLimit < 0 ? 'unlimited postings' : `${monthlyLimit} postings a month`;
        return { data, text: `company ${id}: ${postings} until ${expiresOn ?? 'further notice'}` };
      }),
    );
}

function addEndGrant(company: Command, perform: Perform): void {
  company
    .command('end-grant')
    .description('take complimentary access away at once')
    .requiredOption('--id <id>', 'id of the company', parseId)
    .addHelpText('after', '\nExample:\n  $ ops company end-grant --id 12')
    .action(({ id }: { readonly id: bigint }) =>
      perform(async (ctx) => {
        await endComplimentary(ctx, { companyId: id });
        return { data: { company_id: Number(id), limit: null }, text: `company ${id}: no complimentary access` };
      }),
    );
}
