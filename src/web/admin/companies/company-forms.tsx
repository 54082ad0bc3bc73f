import type { VNode } from 'preact';
import { unlimited } from '../../../domain/eligibility.ts';
import type { showCompany } from '../../../operations/companies/show-company.ts';
import type { listPlans } from '../../../operations/plans/list-plans.ts';
import type { listAllDistricts } from '../../../operations/reference/list-reference.ts';
import { Checkboxes, Field, SelectField } from '../../components/field.tsx';
import { PostForm } from '../../components/form.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import type { FieldErrors, Form } from '../../form.ts';
import { type Translate, useT } from '../../texts/t.ts';
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
  const t = useT();
  const values = submitted?.values() ?? { plan: subscription?.inForce ? subscription.plan.name : '' };
  return (
    <>
      <h2>{t('Plan')}</h2>
      <p>
        {subscription ? (
          <>
            {t('{{name}} since {{start}}', {
              name: subscription.plan.name,
              start: <CalendarDay day={subscription.startedOn} />,
            })}
            {subscription.endsAt && endText(subscription.inForce, <Instant at={subscription.endsAt} />, t)}
          </>
        ) : (
          t('No plan')
        )}
      </p>
      <PostForm action={`${companyPath(id)}/subscription`} values={values} errors={errors}>
        <div class="grid">
          <SelectField
            name="plan"
            label={t('Plan')}
            options={[['', t('No plan')], ...plans.map(({ name }) => [name, name] as const)]}
          />
          <Field
            name="planStart"
            label={t('First day')}
            type="date"
            hint={t('Leave empty to keep the current day, or to start today. Another day starts a new quota period.')}
          />
          <Field name="planEnd" label={t('Last day')} type="date" hint={t('Leave empty for no end.')} />
        </div>
        <button type="submit" class="secondary">
          {t('Set plan')}
        </button>
      </PostForm>
    </>
  );
};

const endText = (inForce: boolean, end: VNode, t: Translate) =>
  inForce ? t(', until {{end}}', { end }) : t(', ended {{end}}', { end });

/** A company's complimentary access, and the forms that grant, change and end it. */
export const GrantForm = ({ company: { id, grant }, submitted, errors }: FormProps) => {
  const t = useT();
  const current = { monthlyLimit: String(grant?.monthlyLimit ?? ''), grantEnd: grant?.expiresOn ?? '' };
  return (
    <>
      <h2>{t('Complimentary access')}</h2>
      <p>{grant ? <Granted grant={grant} /> : t('None')}</p>
      <PostForm action={`${companyPath(id)}/grant`} values={submitted?.values() ?? current} errors={errors}>
        <div class="grid">
          <Field
            name="monthlyLimit"
            label={t('Jobs per month')}
            hint={t('{{value}} means unlimited.', { value: unlimited })}
            type="number"
            min={unlimited}
            required
          />
          <Field name="grantEnd" label={t('Last day of access')} type="date" hint={t('Leave empty for no end.')} />
        </div>
        <button type="submit" class="secondary">
          {t('Grant access')}
        </button>
      </PostForm>
      {grant?.inForce && (
        <PostForm action={`${companyPath(id)}/end-grant`}>
          <button type="submit" class="secondary outline small">
            {t('End complimentary access')}
          </button>
        </PostForm>
      )}
    </>
  );
};

function Granted({ grant }: { readonly grant: NonNullable<Company['grant']> }) {
  const t = useT();
  const limit =
    grant.monthlyLimit === unlimited
      ? t('Unlimited')
      : t('{{count}} jobs per month', { count: grant.monthlyLimit, one: '{{count}} job per month' });
  return (
    <>
      {t('{{name}} since {{start}}', { name: limit, start: <CalendarDay day={grant.startedOn} /> })}
      {grant.expiresOn && endText(grant.inForce, <CalendarDay day={grant.expiresOn} />, t)}
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
  const t = useT();
  return (
    <>
      <h2>{t('Regions')}</h2>
      <details>
        <summary>{t('Limit where the company may publish')}</summary>
        <PostForm action={`${companyPath(company.id)}/districts`} errors={errors}>
          <Checkboxes
            name="district"
            legend={t('May publish in')}
            hint={t('With none selected, the company may publish in all regions. Applies to production only.')}
            checked={submitted?.all('district') ?? company.districts.map(({ id }) => String(id))}
            options={districts.map(({ id, name }) => [String(id), name])}
          />
          <button type="submit" class="secondary">
            {t('Save regions')}
          </button>
        </PostForm>
      </details>
    </>
  );
};
