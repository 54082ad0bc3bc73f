import type { VNode } from 'preact';
import { unlimited } from '../../domain/eligibility.ts';
import * as change from '../../operations/companies/change-company.ts';
import { endComplimentary, grantComplimentary } from '../../operations/companies/grant-complimentary.ts';
import { setDistricts } from '../../operations/companies/set-districts.ts';
import { endSubscription, setSubscription } from '../../operations/companies/set-subscription.ts';
import type { showCompany } from '../../operations/companies/show-company.ts';
import { Action } from '../components/operation-form.tsx';
import { CalendarDay, Facts, Instant } from '../components/text.tsx';
import { type Translate, useT } from '../texts/t.ts';
import { companyPath } from './admin-subjects.ts';

export type Company = Awaited<ReturnType<typeof showCompany>>;

/** What a company may do, and what changes it. */
export function Access({ company }: { readonly company: Company }) {
  const { id, verified, suspendedAt, productionApprovedAt, autoPublish, districts } = company;
  const { subscription, grant } = company;
  const path = companyPath(id);
  const t = useT();
  return (
    <article class="col-6" aria-labelledby="access">
      <h2 id="access">{t('Access')}</h2>
      <Facts
        facts={[
          [t('Plan'), subscription ? planText(subscription, t) : t('No plan')],
          [t('Complimentary access'), grant ? grantText(grant, t) : t('None')],
          [t('Company ID'), String(id)],
          [t('Created'), <Instant key="created" at={company.createdAt} />],
          [t('Approved for production'), productionApprovedAt ? <Instant at={productionApprovedAt} /> : t('No')],
          [t('Suspended'), suspendedAt ? <Instant at={suspendedAt} /> : t('No')],
          [t('Verified'), verified ? t('Yes') : t('No')],
          [t('Publishes without review'), autoPublish ? t('Yes') : t('No')],
          [
            t('May publish in'),
            districts.length === 0 ? t('All regions') : districts.map(({ name }) => name).join(', '),
          ],
        ]}
      />
      <div class="actions">
        {productionApprovedAt === null && <Action operation={change.approveCompany} href={`${path}/approve`} />}
        <Action operation={change.changeCompany} href={`${path}/set`} />
        <Action operation={setDistricts} href={`${path}/districts`} />
        <Action operation={setSubscription} href={`${path}/subscribe`} />
        {subscription?.inForce && <Action operation={endSubscription} href={`${path}/unsubscribe`} />}
        <Action operation={grantComplimentary} href={`${path}/grant`} />
        {grant?.inForce && <Action operation={endComplimentary} href={`${path}/end-grant`} />}
        {suspendedAt !== null && <Action operation={change.reinstateCompany} href={`${path}/reinstate`} />}
        {suspendedAt === null && <Action operation={change.suspendCompany} href={`${path}/suspend`} />}
      </div>
    </article>
  );
}

const planText = ({ plan, startedOn, endsAt, inForce }: NonNullable<Company['subscription']>, t: Translate) => (
  <>
    {t('{{name}} since {{start}}', { name: plan.name, start: <CalendarDay day={startedOn} /> })}
    {endsAt && endText(inForce, <Instant at={endsAt} />, t)}
  </>
);

function grantText({ monthlyLimit, startedOn, expiresOn, inForce }: NonNullable<Company['grant']>, t: Translate) {
  const name =
    monthlyLimit === unlimited
      ? t('Unlimited')
      : t('{{count}} jobs per month', { count: monthlyLimit, one: '{{count}} job per month' });
  return (
    <>
      {t('{{name}} since {{start}}', { name, start: <CalendarDay day={startedOn} /> })}
      {expiresOn && endText(inForce, <CalendarDay day={expiresOn} />, t)}
    </>
  );
}

const endText = (inForce: boolean, end: VNode, t: Translate) =>
  inForce ? t(', until {{end}}', { end }) : t(', ended {{end}}', { end });
