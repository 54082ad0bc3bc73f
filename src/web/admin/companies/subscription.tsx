import type { listPlans } from '../../../operations/plans/set-plan.ts';
import type { Form } from '../../form.ts';
import { Field, type FieldErrors, SelectField } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { CalendarDay, Instant } from '../../parts/when.tsx';
import { type Company, companyPath } from './company.ts';

interface SubscriptionProps {
  readonly company: Company;
  readonly plans: Awaited<ReturnType<typeof listPlans>>;
  /** What was sent and refused. */
  readonly typed: Form | undefined;
  readonly errors: FieldErrors;
}

/** The plan of a company, and the form that sets another. */
export const SubscriptionForm = ({ company, plans, typed, errors }: SubscriptionProps) => {
  const { subscription } = company;
  return (
    <>
      <h2>Plan</h2>
      <p>{subscription ? <Subscribed subscription={subscription} /> : 'No plan yet: choose one below.'}</p>
      <PostForm action={`${companyPath(company.id)}/subscription`}>
        <div class="grid">
          <SelectField
            name="plan"
            label="Plan"
            value={typed?.text('plan') ?? (subscription?.inForce ? subscription.plan.name : '')}
            options={[['', 'No plan'], ...plans.map(({ name }) => [name, name] as const)]}
            errors={errors}
          />
          <Field
            name="planStart"
            label="First day"
            type="date"
            hint="Empty: as it is, or today. Another day begins another count."
            value={typed?.text('planStart') ?? ''}
            errors={errors}
          />
          <Field
            name="planEnd"
            label="Last day"
            type="date"
            hint="Empty: without an end."
            value={typed?.text('planEnd') ?? ''}
            errors={errors}
          />
        </div>
        <button type="submit" class="secondary">
          Set the plan
        </button>
      </PostForm>
    </>
  );
};

const Subscribed = ({ subscription }: { readonly subscription: NonNullable<Company['subscription']> }) => (
  <>
    {`${subscription.plan.name} since `}
    <CalendarDay day={subscription.startedOn} />
    {subscription.endsAt && (subscription.inForce ? ', until ' : ', ended ')}
    {subscription.endsAt && <Instant at={subscription.endsAt} />}
  </>
);
