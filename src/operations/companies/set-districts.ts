import { replaceDistricts, unknownDistricts } from '../../queries/companies.ts';
import * as store from '../../queries/reference.ts';
import { integerMax, wholeNumberOf } from '../check-input.ts';
import { ActionError } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

export interface DistrictChange {
  readonly companyId: bigint;
  /** None means all of them. */
  readonly districtIds: readonly number[];
}

/** Limits where a company may publish. Refuses with `unknown_company`, `unknown_district` and `invalid_input`. */
export function setDistricts(
  ctx: ActionContext,
  { companyId, districtIds }: DistrictChange,
): Promise<{ districtIds: number[] }> {
  const ids = [...new Set(districtIds.map((id) => wholeNumberOf('districtIds', id, 1, integerMax)))].sort(
    (a, b) => a - b,
  );
  return recordedFor(ctx, companyId, async (tx) => {
    const [unknown] = await unknownDistricts(tx, ids);
    if (unknown !== undefined)
      throw new ActionError('unknown_district', `There is no district ${unknown}.`, 'districtIds');
    await replaceDistricts(tx, companyId, ids);
    return { result: { districtIds: ids }, audit: { action: 'company.districts_set', details: { district_ids: ids } } };
  });
}

/** All districts, in the order of their ids. */
export const listAllDistricts = (ctx: ActionContext) => store.listDistricts(ctx.db);
