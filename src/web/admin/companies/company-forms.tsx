import { unlimited } from '../../../domain/eligibility.ts';
import type { showCompany } from '../../../operations/companies/show-company.ts';
import type { listPlans } from '../../../operations/plans/list-plans.ts';
import type { listAllDistricts } from '../../../operations/reference/list-reference.ts';
import { Checkboxes, Field, SelectField } from '../../components/field.tsx';
import { PostForm } from '../../components/form.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import type { FieldErrors, Form } from '../../form.ts';
import { useTexts } from '../../texts/texts.ts';
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
  const { company: texts } = useTexts();
  const values = submitted?.values() ?? { plan: subscription?.inForce ? subscription.plan.name : '' };
  return (
    <>
      <h2>{texts.plan}</h2>
      <p>
        {subscription ? (
          <>
            {texts.since(subscription.plan.name, <CalendarDay day={subscription.startedOn} />)}
            {subscription.endsAt &&
              texts[subscription.inForce ? 'until' : 'ended'](<Instant at={subscription.endsAt} />)}
          </>
        ) : (
          texts.noPlanYet
        )}
      </p>
      <PostForm action={`${companyPath(id)}/subscription`} values={values} errors={errors}>
        <div class="grid">
          <SelectField
            name="plan"
            label={texts.plan}
            options={[['', texts.noPlan], ...plans.map(({ name }) => [name, name] as const)]}
          />
          <Field name="planStart" label={texts.firstDay} type="date" hint={texts.firstDayHint} />
          <Field name="planEnd" label={texts.lastDay} type="date" hint={texts.noEndHint} />
        </div>
        <button type="submit" class="secondary">
          {texts.setPlan}
        </button>
      </PostForm>
    </>
  );
};

/** A company's complimentary access, and the forms that grant, change and end it. */
export const GrantForm = ({ company: { id, grant }, submitted, errors }: FormProps) => {
  const { company: texts, words } = useTexts();
  const current = { monthlyLimit: String(grant?.monthlyLimit ?? ''), grantEnd: grant?.expiresOn ?? '' };
  return (
    <>
      <h2>{texts.complimentary}</h2>
      <p>{grant ? <Granted grant={grant} /> : texts.noGrant}</p>
      <PostForm action={`${companyPath(id)}/grant`} values={submitted?.values() ?? current} errors={errors}>
        <div class="grid">
          <Field
            name="monthlyLimit"
            label={texts.jobsPerMonth}
            hint={words.unlimitedHint(unlimited)}
            type="number"
            min={unlimited}
            required
          />
          <Field name="grantEnd" label={texts.lastDayOfAccess} type="date" hint={texts.noEndHint} />
        </div>
        <button type="submit" class="secondary">
          {texts.grant}
        </button>
      </PostForm>
      {grant?.inForce && (
        <PostForm action={`${companyPath(id)}/end-grant`}>
          <button type="submit" class="secondary outline small">
            {texts.endGrant}
          </button>
        </PostForm>
      )}
    </>
  );
};

function Granted({ grant }: { readonly grant: NonNullable<Company['grant']> }) {
  const { company: texts, words } = useTexts();
  const limit = grant.monthlyLimit === unlimited ? words.unlimited : texts.grantLimit(grant.monthlyLimit);
  return (
    <>
      {texts.since(limit, <CalendarDay day={grant.startedOn} />)}
      {grant.expiresOn && texts[grant.inForce ? 'until' : 'ended'](<CalendarDay day={grant.expiresOn} />)}
    </>
  );
}

type Districts = Awaited<ReturnType<typeof listAllDistricts>>;

/** Limits a company to some regions. */
export const RegionsForm = ({
  company,
  districts,
  submitted,
  errors,
}: FormProps & { readonly districts: Districts }) => {
  const { company: texts } = useTexts();
  return (
    <>
      <h2>{texts.regions}</h2>
      <details>
        <summary>{texts.limitRegions}</summary>
        <PostForm action={`${companyPath(company.id)}/districts`} errors={errors}>
          <Checkboxes
            name="district"
            legend={texts.mayPublishIn}
            hint={texts.regionsHint}
            checked={submitted?.all('district') ?? company.districts.map(({ id }) => String(id))}
            options={districts.map(({ id, name }) => [String(id), name])}
          />
          <button type="submit" class="secondary">
            {texts.saveRegions}
          </button>
        </PostForm>
      </details>
    </>
  );
};
