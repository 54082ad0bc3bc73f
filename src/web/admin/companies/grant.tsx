import { unlimited } from '../../../domain/eligibility.ts';
import type { Form } from '../../form.ts';
import { Field, type FieldErrors } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { CalendarDay } from '../../parts/when.tsx';
import { type Company, companyPath } from './company.ts';

interface GrantProps {
  readonly company: Company;
  /** What was sent and refused. */
  readonly typed: Form | undefined;
  readonly errors: FieldErrors;
}

/** Complimentary access of a company: what it has, the form that gives or changes it, and its end. */
export const GrantForm = ({ company, typed, errors }: GrantProps) => {
  const { grant } = company;
  const path = companyPath(company.id);
  return (
    <>
      <h2>Complimentary access</h2>
      <p>{grant ? <Granted grant={grant} /> : 'None.'}</p>
      <PostForm action={`${path}/grant`}>
        <div class="grid">
          <Field
            name="monthlyLimit"
            label="Jobs a month"
            hint={`${unlimited} means unlimited.`}
            type="number"
            min={unlimited}
            required
            value={typed?.text('monthlyLimit') ?? String(grant?.monthlyLimit ?? '')}
            errors={errors}
          />
          <Field
            name="grantEnd"
            label="Last day of the access"
            hint="Empty: without an end."
            type="date"
            value={typed?.text('grantEnd') ?? grant?.expiresOn ?? ''}
            errors={errors}
          />
        </div>
        <button type="submit" class="secondary">
          Grant
        </button>
      </PostForm>
      {grant?.inForce && (
        <PostForm action={`${path}/end-grant`}>
          <button type="submit" class="secondary outline small">
            End complimentary access
          </button>
        </PostForm>
      )}
    </>
  );
};

const Granted = ({ grant }: { readonly grant: NonNullable<Company['grant']> }) => (
  <>
    {grant.monthlyLimit === unlimited ? 'Unlimited' : `${grant.monthlyLimit} jobs a month`}
    {' since '}
    <CalendarDay day={grant.startedOn} />
    {grant.expiresOn && (grant.inForce ? ', until ' : ', ended ')}
    {grant.expiresOn && <CalendarDay day={grant.expiresOn} />}
  </>
);
