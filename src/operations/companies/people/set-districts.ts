import * as z from 'zod';
import type { Tx } from '../../../database/transaction.ts';
import { rejection } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { companyId, ids } from '../../kit/fields.ts';
import { ifChanged, recordedFor } from '../../kit/recorded.ts';
import { referenceChoices } from '../../reference/people/reference-choices.ts';
import { listAllowedDistricts, replaceDistricts, unknownDistricts } from '../companies-sql.ts';
import { ofCompany } from './change-company.ts';

/** The ids of the districts in which a company may publish. Empty if it may publish in all. */
export const allowedDistrictIds = async (tx: Tx, companyId: bigint): Promise<number[]> =>
  (await listAllowedDistricts(tx, companyId)).map(({ id }) => id);

/** Limits where a company may publish; no districts means all of them. Throws `unknown_company`, `unknown_district` and `invalid_input`. */
export const setDistricts = declare({
  command: 'company districts',
  title: 'Limit where a company may publish',
  label: 'Change regions',
  by: ['operator', 'administrator'],
  records: 'company.districts_set',
  input: z.object({
    companyId: companyId(),
    districts: ids().meta({
      label: 'Regions',
      hint: 'Leave empty to allow all. Applies to production only.',
      example: '11,13',
    }),
  }),
  choices: { districts: referenceChoices.districts },
  subject: async (ctx, ref) => {
    const { name } = await ofCompany(ctx, ref);
    return { name, values: { districts: await allowedDistrictIds(ctx.db, ref.companyId) } };
  },
  done: 'The regions of company {{company_id}} are saved.',
  run: (ctx, { companyId, districts }) => {
    const ids = [...new Set(districts)].sort((a, b) => a - b);
    return recordedFor(ctx, companyId, async (tx) => {
      const [unknown] = await unknownDistricts(tx, ids);
      if (unknown !== undefined) throw rejection('unknown_district', `There is no district ${unknown}.`, 'districts');
      const before = await allowedDistrictIds(tx, companyId);
      await replaceDistricts(tx, companyId, ids);
      return ifChanged(before, ids, { result: { districtIds: ids }, audit: { details: { district_ids: ids } } });
    });
  },
});
