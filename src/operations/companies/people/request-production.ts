import * as z from 'zod';
import { declare } from '../../kit/declare.ts';
import { companyId, reason } from '../../kit/fields.ts';
import type { Held } from '../../kit/recorded.ts';
import { updateCompany } from '../companies-sql.ts';
import { decision, held, noRequest } from './change-company.ts';

const asked: Held = {
  text: 'Company {{company_id}} has already asked for production. An administrator will decide.',
  by: ['company.production_requested'],
};
const answered: Held = {
  text: 'Company {{company_id}} has no open request for production.',
  by: ['company.approved', 'company.production_refused', 'company.approval_withdrawn'],
};

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
  done: 'An administrator will decide about production.',
  ...decision({
    result: { productionRequested: true },
    heldBy: ({ productionApprovedAt, productionRequestedAt }) => {
      if (productionApprovedAt) return held.approved;
      return productionRequestedAt ? asked : undefined;
    },
    change: ({ tx, now, companyId, reason = null }) =>
      updateCompany(tx, companyId, { productionRequestedAt: now, productionRequestNote: reason }),
  }),
});

/** Refuses a company's request for production, so that it no longer waits for approval. Throws `unknown_company`. */
export const refuseProduction = declare({
  command: 'company refuse',
  title: 'Refuse production to a company that asked',
  label: 'Refuse production',
  by: ['operator', 'administrator'],
  records: 'company.production_refused',
  input: z.object({ companyId: companyId(), reason: reason() }),
  done: 'The request of company {{company_id}} is refused.',
  ...decision({
    result: { productionRequested: false },
    heldBy: ({ productionRequestedAt }) => (productionRequestedAt ? undefined : answered),
    change: ({ tx, companyId }) => updateCompany(tx, companyId, noRequest),
  }),
});
