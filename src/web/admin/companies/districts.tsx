import type { listAllDistricts } from '../../../operations/companies/set-districts.ts';
import type { Form } from '../../form.ts';
import { type FieldErrors, Marks } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { type Company, companyPath } from './company.ts';

interface Props {
  readonly company: Company;
  readonly districts: Awaited<ReturnType<typeof listAllDistricts>>;
  /** What was sent and refused. */
  readonly typed: Form | undefined;
  readonly errors: FieldErrors;
}

/** Where a company may publish. */
export function DistrictsForm({ company, districts, typed, errors }: Props) {
  const marked = typed?.all('district') ?? company.districts.map(({ id }) => String(id));
  return (
    <>
      <h2>Regions</h2>
      <details>
        <summary>Limit where it may publish</summary>
        <PostForm action={`${companyPath(company.id)}/districts`}>
          <Marks
            name="district"
            legend="It may publish in"
            hint="None marked: in all of them. Production alone is limited."
            marked={marked}
            options={districts.map(({ id, name }) => [String(id), name])}
            errors={errors}
          />
          <button type="submit" class="secondary">
            Set the regions
          </button>
        </PostForm>
      </details>
    </>
  );
}
