import type { Context } from '../../context.ts';
import { rejection } from '../../domain/errors.ts';
import { replaceDistricts, unknownDistricts } from '../../queries/companies.ts';
import { integerMax, wholeNumberOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';
import type { CompanyRef } from './change-company.ts';

interface DistrictChange extends CompanyRef {
  /** None means all of them. */
  readonly districtIds: readonly number[];
}

/** Limits where a company may publish. Throws `unknown_company`, `unknown_district` and `invalid_input`. */
export function setDistricts(
  ctx: Context,
  { companyId, districtIds }: DistrictChange,
): Promise<{ districtIds: number[] }> {
  const given = districtIds.map((id) => wholeNumberOf('districtIds', id, 1, integerMax));
  const ids = [...new Set(given)].sort((a, b) => a - b);
  return recordedFor(ctx, companyId, async (tx) => {
    const [unknown] = await unknownDistricts(tx, ids);
    if (unknown !== undefined) throw rejection('unknown_district', `There is no district ${unknown}.`, 'districtIds');
    await replaceDistricts(tx, companyId, ids);
    return { result: { districtIds: ids }, audit: { action: 'company.districts_set', details: { district_ids: ids } } };
  });
}
