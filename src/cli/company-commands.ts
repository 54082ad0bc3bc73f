import * as companies from '../operations/companies/change-company.ts';
import { createCompany } from '../operations/companies/create-company.ts';
import { endComplimentary, grantComplimentary } from '../operations/companies/grant-complimentary.ts';
import { setDistricts } from '../operations/companies/set-districts.ts';
import { setSubscription } from '../operations/companies/set-subscription.ts';
import { optional, parseId, parseIds, parseWholeNumber, required, type Verb, verb } from './command.ts';

interface ById {
  readonly id: bigint;
}

const id = required('--id <id>', 'ID of the company', parseId);

/** A command that needs nothing but the company, with the state that it prints. */
const companySwitch = (
  name: string,
  description: string,
  operation: typeof companies.approveCompany,
  state: Readonly<Record<string, boolean>>,
): Verb =>
  verb<ById>({
    name,
    description,
    options: [id],
    examples: [`company ${name} --id 12`],
    run: async (ctx, { id: companyId }) => {
      await operation(ctx, { companyId });
      return { data: { company_id: Number(companyId), ...state }, text: `company ${companyId}: ${name} done` };
    },
  });

const create = verb<Parameters<typeof createCompany>[1]>({
  name: 'create',
  description: 'create a company',
  options: [
    required('--name <name>', 'name of the company'),
    optional('--plan <plan>', 'subscribe it to this plan from today (see: plan list)'),
    optional('--verified', 'mark its main account as verified, which opens the sandbox'),
    optional('--production-approved', 'approve it for production'),
    optional('--auto-publish', 'publish its production jobs without review'),
  ],
  examples: ['company create --name "Oficina Exemplo" --plan Pro --verified --production-approved --json'],
  run: async (ctx, options) => {
    const { companyId } = await createCompany(ctx, options);
    return { data: { company_id: Number(companyId) }, text: `company ${companyId} created` };
  },
});

const set = verb<ById & { readonly verified?: boolean; readonly autoPublish?: boolean }>({
  name: 'set',
  description: 'change whether a company is verified and whether its jobs are published without review',
  options: [
    id,
    optional('--verified', 'mark its main account as verified'),
    optional('--no-verified', 'remove the verification'),
    optional('--auto-publish', 'publish its production jobs without review'),
    optional('--no-auto-publish', 'review its production jobs'),
  ],
  examples: ['company set --id 12 --verified --no-auto-publish'],
  run: async (ctx, { id: companyId, ...flags }) => {
    const { verified, autoPublish } = await companies.changeCompany(ctx, { companyId, ...flags });
    const data = { company_id: Number(companyId), verified, auto_publish: autoPublish };
    return { data, text: `company ${companyId}: verified ${verified}, auto-publish ${autoPublish}` };
  },
});

const districts = verb<ById & { readonly districts: number[] }>({
  name: 'districts',
  description: 'limit the districts in which a company may publish in production',
  options: [id, required('--districts <ids>', 'IDs separated by commas; "" means all districts', parseIds)],
  examples: ['company districts --id 12 --districts 11,13', 'company districts --id 12 --districts ""'],
  run: async (ctx, options) => {
    const { districtIds } = await setDistricts(ctx, { companyId: options.id, districtIds: options.districts });
    const data = { company_id: Number(options.id), district_ids: districtIds };
    return { data, text: `company ${options.id}: districts ${districtIds.join(', ') || 'all'}` };
  },
});

const subscribe = verb<ById & { readonly plan: string }>({
  name: 'subscribe',
  description: 'put a company on a plan; changing the plan keeps the first day of its monthly quota',
  options: [id, required('--plan <plan>', 'name of the plan (see: plan list)')],
  examples: ['company subscribe --id 12 --plan VIP'],
  run: async (ctx, { id: companyId, plan }) => {
    const subscribed = await setSubscription(ctx, { companyId, plan });
    const started = subscribed?.startedOn ?? null;
    const data = { company_id: Number(companyId), plan: subscribed?.plan ?? null, started_on: started };
    return { data, text: `company ${companyId}: plan ${data.plan}, counted from ${started}` };
  },
});

const unsubscribe = verb<ById>({
  name: 'unsubscribe',
  description: "end a company's subscription now",
  options: [id],
  examples: ['company unsubscribe --id 12'],
  run: async (ctx, { id: companyId }) => {
    await setSubscription(ctx, { companyId, plan: null });
    return { data: { company_id: Number(companyId), plan: null }, text: `company ${companyId}: no plan` };
  },
});

const grant = verb<ById & { readonly limit: number; readonly until?: string }>({
  name: 'grant',
  description: 'grant complimentary production access, replacing any earlier grant',
  options: [
    id,
    required('--limit <postings>', 'postings per month; -1 means unlimited', parseWholeNumber),
    optional('--until <date>', 'last day of the grant, YYYY-MM-DD (default: no end)'),
  ],
  examples: ['company grant --id 12 --limit 20 --until 2027-06-30', 'company grant --id 12 --limit -1'],
  run: async (ctx, { id: companyId, limit, until }) => {
    const granted = await grantComplimentary(ctx, { companyId, monthlyLimit: limit, lastDay: until });
    const { monthlyLimit, startedOn, expiresOn } = granted;
    const data = { company_id: Number(companyId), limit: monthlyLimit, started_on: startedOn, until: expiresOn };
    const postings = monthlyLimit < 0 ? 'unlimited postings' : `${monthlyLimit} postings a month`;
    return { data, text: `company ${companyId}: ${postings} until ${expiresOn ?? 'further notice'}` };
  },
});

const endGrant = verb<ById>({
  name: 'end-grant',
  description: 'end complimentary access immediately',
  options: [id],
  examples: ['company end-grant --id 12'],
  run: async (ctx, { id: companyId }) => {
    await endComplimentary(ctx, { companyId });
    return {
      data: { company_id: Number(companyId), limit: null },
      text: `company ${companyId}: no complimentary access`,
    };
  },
});

export const companyVerbs: readonly Verb[] = [
  create,
  companySwitch('approve', 'approve a company for production', companies.approveCompany, { production_approved: true }),
  companySwitch('suspend', 'close both environments to a company', companies.suspendCompany, { suspended: true }),
  companySwitch('reinstate', 'end the suspension of a company', companies.reinstateCompany, { suspended: false }),
  set,
  districts,
  subscribe,
  unsubscribe,
  grant,
  endGrant,
];
