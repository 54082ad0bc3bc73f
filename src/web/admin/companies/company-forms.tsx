import { unlimited } from '../../../domain/eligibility.ts';
import type { showCompany } from '../../../operations/companies/show-company.ts';
import type { listPlans } from '../../../operations/plans/set-plan.ts';
import type { listAllDistricts } from '../../../operations/reference/list-reference.ts';
import { Checkboxes, Field, SelectField } from '../../components/field.tsx';
import { PostForm } from '../../components/form.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import type { FieldErrors, Form } from '../../form.ts';
import { companyPath } from '../paths.ts';

export type Company = Awaited<ReturnType<typeof showCompany>>;

interface FormProps {
  readonly company: Company;
  /** A form that was refused. */
  readonly submitted: Form | undefined;
  readonly errors: FieldErrors;
}

type Plans = Awaited<ReturnType<typeof listPlans>>;

/** A company's plan, and the form that sets another. */
export const PlanForm = ({ company, plans, submitted, errors }: FormProps & { readonly plans: Plans }) => {
  const { id, subscription } = company;
  const values = submitted?.values() ?? { plan: subscription?.inForce ? subscription.plan.name : '' };
  return (
    <>
      <h2>Plan</h2>
      <p>
        {subscription ? (
          <>
            {`${subscription.plan.name} since `}
            <CalendarDay day={subscription.startedOn} />
            {subscription.endsAt && (subscription.inForce ? ', until ' : ', ended ')}
            {subscription.endsAt && <Instant at={subscription.endsAt} />}
          </>
        ) : (
          'No plan.'
        )}
      </p>
      <PostForm action={`${companyPath(id)}/subscription`} values={values} errors={errors}>
        <div class="grid">
          <SelectField
            name="plan"
            label="Plan"
            options={[['', 'No plan'], ...plans.map(({ name }) => [name, name] as const)]}
          />
          <Field
            name="planStart"
            label="First day"
            type="date"
            hint="Leave empty to keep the current day, or to start today. Another day starts a new quota period."
          />
          <Field name="planEnd" label="Last day" type="date" hint="Leave empty for no end." />
        </div>
        <button type="submit" class="secondary">
          Set plan
        </button>
      </PostForm>
    </>
  );
};

/** A company's complimentary access, and the forms that grant, change and end it. */
export const GrantForm = ({ company: { id, grant }, submitted, errors }: FormProps) => {
  const current = { monthlyLimit: String(grant?.monthlyLimit ?? ''), grantEnd: grant?.expiresOn ?? '' };
  return (
    <>
      <h2>Complimentary access</h2>
      <p>{grant ? <Granted grant={grant} /> : 'None.'}</p>
      <PostForm action={`${companyPath(id)}/grant`} values={submitted?.values() ?? current} errors={errors}>
        <div class="grid">
          <Field
            name="monthlyLimit"
            label="Jobs per month"
            hint={`${unlimited} means unlimited.`}
            type="number"
            min={unlimited}
            required
          />
          <Field name="grantEnd" label="Last day of access" type="date" hint="Leave empty for no end." />
        </div>
        <button type="submit" class="secondary">
          Grant access
        </button>
      </PostForm>
      {grant?.inForce && (
        <PostForm action={`${companyPath(id)}/end-grant`}>
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
    {grant.monthlyLimit === unlimited ? 'Unlimited' : `${grant.monthlyLimit} jobs per month`}
    {' since '}
    <CalendarDay day={grant.startedOn} />
    {grant.expiresOn && (grant.inForce ? ', until ' : ', ended ')}
    {grant.expiresOn && <CalendarDay day={grant.expiresOn} />}
  </>
);

type Districts = Awaited<ReturnType<typeof listAllDistricts>>;

/** Limits a company to some regions. */
export const RegionsForm = ({
  company,
  districts,
  submitted,
  errors,
}: FormProps & { readonly districts: Districts }) => (
  <>
    <h2>Regions</h2>
    <details>
      <summary>Limit where the company may publish</summary>
      <PostForm action={`${companyPath(company.id)}/districts`} errors={errors}>
        <Checkboxes
          name="district"
          legend="May publish in"
          hint="With none selected, the company may publish in all regions. Applies to production only."
          checked={submitted?.all('district') ?? company.districts.map(({ id }) => String(id))}
          options={districts.map(({ id, name }) => [String(id), name])}
        />
        <button type="submit" class="secondary">
          Save regions
        </button>
      </PostForm>
    </details>
  </>
);
