import * as z from 'zod';
import { declare } from '../../kit/declare.ts';
import { flag, newCompanyName } from '../../kit/fields.ts';
import { recorded } from '../../kit/recorded.ts';
import { planChoices, planName, planNamed } from '../../plans/people/list-plans.ts';
import { insertCompany } from '../companies-sql.ts';
import { replaceSubscription } from '../subscriptions-sql.ts';

/** Creates a company. An absent flag is off. Throws `invalid_input` and `unknown_plan`. */
export const createCompany = declare({
  command: 'company create',
  title: 'Create a company',
  label: 'Create company',
  by: ['operator', 'administrator'],
  records: 'company.created',
  input: z.object({
    name: newCompanyName(),
    plan: planName().optional().meta({ hint: 'The subscription begins today.' }),
    verified: flag().default(false).meta({ label: 'Verified', hint: 'Opens the sandbox.' }),
    productionApproved: flag().default(false).meta({ label: 'Approved for production' }),
    autoPublish: flag().default(false).meta({ label: 'Publishes its production jobs without review' }),
  }),
  choices: { plan: planChoices },
  done: 'Company {{company_id}} is created.',
  run: (ctx, { name, plan: named, verified, productionApproved, autoPublish }) =>
    recorded(ctx, async (tx) => {
      const plan = named === undefined ? null : await planNamed(tx, named);
      const productionApprovedAt = productionApproved ? ctx.now : null;
      const facts = { verified, autoPublish, suspendedAt: null, productionApprovedAt };
      const companyId = await insertCompany(tx, { name, ...facts, createdAt: ctx.now });
      if (plan) await replaceSubscription(tx, companyId, { planId: plan.id, startedOn: ctx.today, endsAt: null });
      const details = {
        verified,
        auto_publish: autoPublish,
        production_approved: productionApproved,
        plan: plan?.name ?? null,
      };
      return { result: { companyId, name }, audit: { companyId, details } };
    }),
  shows: ({ companyId }) => ({ company_id: companyId }),
});
