import { unlimited } from '../../../domain/eligibility.ts';
import type { EnvironmentAccess } from '../../../operations/companies/show-company.ts';
import { AccessBadge } from '../../components/badges.tsx';
import { PostForm } from '../../components/form.tsx';
import { Facts, Instant } from '../../components/text.tsx';
import { environmentLabels } from '../../labels.ts';
import { useT } from '../../texts/t.ts';
import { companyPath } from '../paths.ts';
import type { Company } from './company-forms.tsx';

/** What a company may do, with the buttons that change it. */
export function Access({ company }: { readonly company: Company }) {
  const { id, verified, suspendedAt, productionApprovedAt, autoPublish, access, districts } = company;
  const t = useT();
  return (
    <>
      <h2>{t('Access')}</h2>
      <Facts
        facts={[
          [t(environmentLabels.production), <Environment key="production" access={access.production} />],
          [t(environmentLabels.sandbox), <Environment key="sandbox" access={access.sandbox} />],
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
        {productionApprovedAt === null && <Action id={id} name="approve" text={t('Approve for production')} />}
        {suspendedAt === null ? (
          <Action id={id} name="suspend" text={t('Suspend')} />
        ) : (
          <Action id={id} name="reinstate" text={t('Reinstate')} />
        )}
        {verified ? (
          <Action id={id} name="unverify" text={t('Remove verification')} />
        ) : (
          <Action id={id} name="verify" text={t('Mark as verified')} />
        )}
        {autoPublish ? (
          <Action id={id} name="review-jobs" text={t('Require review')} />
        ) : (
          <Action id={id} name="auto-publish" text={t('Publish without review')} />
        )}
      </div>
    </>
  );
}

const Action = ({ id, name, text }: { readonly id: bigint; readonly name: string; readonly text: string }) => (
  <PostForm action={`${companyPath(id)}/${name}`}>
    <button type="submit" class="secondary small">
      {text}
    </button>
  </PostForm>
);

function Environment({ access }: { readonly access: EnvironmentAccess }) {
  const t = useT();
  if (access.kind !== 'open') return <AccessBadge access={access} />;
  const { used, entitlement } = access;
  const { limit } = entitlement;
  return (
    <>
      <AccessBadge access={access} />{' '}
      {limit === unlimited
        ? t('{{count}} jobs posted, no limit', { count: used, one: '{{count}} job posted, no limit' })
        : t('{{used}} of {{limit}} jobs used', { used, limit })}
    </>
  );
}
