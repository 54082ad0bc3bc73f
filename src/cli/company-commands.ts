import type { Command } from 'commander';
import type { Context } from '../context.ts';
import {
  approveCompany,
  changeCompany,
  reinstateCompany,
  suspendCompany,
} from '../operations/companies/change-company.ts';
import { createCompany } from '../operations/companies/create-company.ts';
import { setDistricts } from '../operations/companies/set-districts.ts';
import { parseId, parseIds } from './arguments.ts';
import { addEntitlementCommands } from './entitlement-commands.ts';
import type { Perform } from './outcome.ts';

interface CreateOptions {
  readonly name: string;
  readonly plan?: string;
  readonly verified?: boolean;
  readonly productionApproved?: boolean;
  readonly autoPublish?: boolean;
}

interface ChangeOptions {
  readonly id: bigint;
  readonly verified?: boolean;
  readonly autoPublish?: boolean;
}

/** company create, approve, suspend, reinstate, set, districts, subscribe, unsubscribe, grant, end-grant. */
export function addCompanyCommands(program: Command, perform: Perform): void {
  const company = program.command('company').description('companies, their standing, plan and complimentary access');
  addCreate(company, perform);
  addSwitch(company, perform, 'approve', 'approve a company for production', approveCompany, {
    production_approved: true,
  });
  addSwitch(company, perform, 'suspend', 'close both environments to a company', suspendCompany, { suspended: true });
  addSwitch(company, perform, 'reinstate', 'end the suspension of a company', reinstateCompany, { suspended: false });
  addSet(company, perform);
  addDistricts(company, perform);
  addEntitlementCommands(company, perform);
}

function addCreate(company: Command, perform: Perform): void {
  company
    .command('create')
    .description('create a company')
    .requiredOption('--name <name>', 'name of the company')
    .option('--plan <plan>', 'put it on this plan from today (see: plan list)')
    .option('--verified', 'its main account is verified: opens the sandbox')
    .option('--production-approved', 'approve it for production')
    .option('--auto-publish', 'publish its production jobs without review')
    .addHelpText(
      'after',
      '\nExample:\n  $ ops company create --name "Oficina Exemplo" --plan Pro --verified --production-approved --json',
    )
    .action((options: CreateOptions) =>
      perform(async (ctx) => {
        const { companyId } = await createCompany(ctx, options);
        return { data: { company_id: Number(companyId) }, text: `company ${companyId} created` };
      }),
    );
}

type Switch = (ctx: Context, input: { companyId: bigint }) => Promise<void>;

function addSwitch(
  company: Command,
  perform: Perform,
  verb: string,
  description: string,
  action: Switch,
  state: Readonly<Record<string, boolean>>,
): void {
  company
    .command(verb)
    .description(description)
    .requiredOption('--id <id>', 'id of the company', parseId)
    .addHelpText('after', `\nExample:\n  $ ops company ${verb} --id 12`)
    .action(({ id }: { readonly id: bigint }) =>
      perform(async (ctx) => {
        await action(ctx, { companyId: id });
        return { data: { company_id: Number(id), ...state }, text: `company ${id}: ${verb} done` };
      }),
    );
}

function addSet(company: Command, perform: Perform): void {
  company
    .command('set')
    .description('change whether a company is verified and whether it publishes without review')
    .requiredOption('--id <id>', 'id of the company', parseId)
    .option('--verified', 'its main account is verified')
    .option('--no-verified', 'it is not')
    .option('--auto-publish', 'publish its production jobs without review')
    .option('--no-auto-publish', 'review them')
    .addHelpText('after', '\nExample:\n  $ ops company set --id 12 --verified --no-auto-publish')
    .action(({ id, verified, autoPublish }: ChangeOptions) =>
      perform(async (ctx) => {
        const after = await changeCompany(ctx, { companyId: id, verified, autoPublish });
        const data = { company_id: Number(id), verified: after.verified, auto_publish: after.autoPublish };
        return { data, text: `company ${id}: verified ${after.verified}, auto-publish ${after.autoPublish}` };
      }),
    );
}

function addDistricts(company: Command, perform: Perform): void {
  company
    .command('districts')
    .description('limit the districts in which a company may publish in production')
    .requiredOption('--id <id>', 'id of the company', parseId)
    .requiredOption('--districts <ids>', 'ids separated by commas; "" means all districts', parseIds)
    .addHelpText(
      'after',
      '\nExamples:\n  $ ops company districts --id 12 --districts 11,13\n  $ ops company districts --id 12 --districts ""',
    )
    .action(({ id, districts }: { readonly id: bigint; readonly districts: number[] }) =>
      perform(async (ctx) => {
        const { districtIds } = await setDistricts(ctx, { companyId: id, districtIds: districts });
        const data = { company_id: Number(id), district_ids: districtIds };
        return { data, text: `company ${id}: districts ${districtIds.join(', ') || 'all'}` };
      }),
    );
}
