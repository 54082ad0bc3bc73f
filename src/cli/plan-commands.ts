import { listPlans, setPlan } from '../operations/plans/set-plan.ts';
import { optional, parseWholeNumber, required, type Verb, verb } from './command.ts';

type Plan = Awaited<ReturnType<typeof setPlan>>;

const list = verb({
  name: 'list',
  description: 'list the plans',
  examples: ['plan list --json'],
  run: async (ctx) => {
    const plans = await listPlans(ctx);
    return { data: { plans: plans.map(asData) }, text: plans.map(asLine).join('\n') };
  },
});

const set = verb<{ readonly name: string; readonly limit?: number; readonly apiEligible?: boolean }>({
  name: 'set',
  description: 'change a plan, effective immediately for its subscribers, or create one (needs --limit)',
  options: [
    required('--name <name>', 'name of the plan'),
    optional('--limit <postings>', 'postings per month; -1 means unlimited', parseWholeNumber),
    optional('--api-eligible', 'include production access'),
    optional('--no-api-eligible', 'exclude production access'),
  ],
  examples: ['plan set --name Pro --limit 30', 'plan set --name Free --no-api-eligible'],
  run: async (ctx, { limit, ...plan }) => {
    const changed = await setPlan(ctx, { ...plan, postingLimit: limit });
    return { data: asData(changed), text: asLine(changed) };
  },
});

const asData = ({ id, name, postingLimit, apiEligible }: Plan) => ({
  plan_id: id,
  name,
  limit: postingLimit,
  api_eligible: apiEligible,
});

const asLine = ({ name, postingLimit, apiEligible }: Plan): string =>
  `${name}: ${postingLimit < 0 ? 'unlimited' : postingLimit} postings a month, ${apiEligible ? 'with' : 'without'} production access`;

export const planVerbs: readonly Verb[] = [list, set];
