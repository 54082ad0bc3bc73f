import * as z from 'zod';
import { declare } from '../../kit/declare.ts';
import { companyId, reason } from '../../kit/fields.ts';
import { findCompanyRecord } from '../companies-sql.ts';
import { changeOnce, noRequest, ofCompany } from './change-company.ts';

/** Asks the administrators for production. Changes nothing if the company has asked already or is approved. Throws `unknown_company`. */
export const requestProduction = declare({
  command: 'company request',
  title: 'Ask for production',
  by: ['operator', 'main account'],
  records: 'company.production_requested',
  input: z.object({
    companyId: companyId(),
    reason: reason()
      .optional()
      .meta({ label: 'Note', hint: 'The administrators read it.', ownHint: 'The administrators read it.' }),
  }),
  subject: async (ctx, ref) => {
    const company = await findCompanyRecord(ctx.db, ref.companyId);
    if (company?.productionApprovedAt) return { settled: { text: 'Your company is approved for production.' } };
    return company?.productionRequestedAt
      ? { settled: { text: 'You have asked already. An administrator decides.' } }
      : {};
  },
  done: 'An administrator will decide about production.',
  run: (ctx, input) =>
    changeOnce(ctx, input, { productionRequested: true }, ({ productionApprovedAt, productionRequestedAt }) =>
      (productionApprovedAt ?? productionRequestedAt)
        ? undefined
        : { productionRequestedAt: ctx.now, productionRequestNote: input.reason ?? null },
    ),
});

/** Refuses a company's request for production, so that it no longer waits for approval. Throws `unknown_company`. */
export const refuseProduction = declare({
  command: 'company refuse',
  title: 'Refuse production to a company that asked',
  label: 'Refuse production',
  by: ['operator', 'administrator'],
  records: 'company.production_refused',
  input: z.object({ companyId: companyId(), reason: reason() }),
  subject: ofCompany,
  done: 'The request of company {{company_id}} is refused.',
  run: (ctx, input) =>
    changeOnce(ctx, input, { productionRequested: false }, ({ productionRequestedAt }) =>
      productionRequestedAt === null ? undefined : noRequest,
    ),
});
