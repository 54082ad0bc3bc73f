import type { Command } from 'commander';
import { listPlans, setPlan } from '../operations/plans/set-plan.ts';
import { parseWholeNumber } from './arguments.ts';
import type { Perform } from './outcome.ts';

interface PlanOptions {
  readonly name: string;
  readonly limit?: number;
  readonly apiEligible?: boolean;
}

type Plan = Awaited<ReturnType<typeof listPlans>>[number];

/** plan list, set. */
export function addPlanCommands(program: Command, perform: Perform): void {
  const plan = program.command('plan').description('plans of the website and what they open');
  plan
    .command('list')
    .description('list the plans')
    .addHelpText('after', '\nExample:\n  $ ops plan list --json')
    .action(() =>
      perform(async (ctx) => {
        const plans = await listPlans(ctx);
        return { data: { plans: plans.map(asData) }, text: plans.map(asLine).join('\n') };
      }),
    );
  plan
    .command('set')
    .description('change a plan, for its subscribers at once, or make a new one (needs --limit)')
    .requiredOption('--name <name>', 'name of the plan')
    .option('--limit <postings>', 'postings a month; -1 means unlimited', parseWholeNumber)
    .option('--api-eligible', 'opens production to credentials')
    .option('--no-api-eligible', 'does not')
    .addHelpText(
      'after',
      '\nExamples:\n  $ ops plan set --name Pro --limit 30\n  $ ops plan set --name Free --no-api-eligible',
    )
    .action(({ name, limit, apiEligible }: PlanOptions) =>
      perform(async (ctx) => {
        const changed = await setPlan(ctx, { name, postingLimit: limit, apiEligible });
        return { data: asData(changed), text: asLine(changed) };
      }),
    );
}

const asData = ({ id, name, postingLimit, apiEligible }: Plan) => ({
  plan_id: id,
  name,
  limit: postingLimit,
  api_eligible: apiEligible,
});

const asLine = ({ name, postingLimit, apiEligible }: Plan): string =>
  `${name}: ${postingLimit < 0 ? 'unlimited' : postingLimit} postings a month, ${apiEligible ? 'with' : 'without'} production access`;
