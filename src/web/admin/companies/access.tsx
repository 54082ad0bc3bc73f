import { unlimited } from '../../../domain/eligibility.ts';
import type { EnvironmentAccess } from '../../../operations/companies/show-company.ts';
import { AccessBadge } from '../../components/badges.tsx';
import { PostForm } from '../../components/form.tsx';
import { Facts, Instant } from '../../components/text.tsx';
import { useTexts } from '../../texts/texts.ts';
import { companyPath } from '../paths.ts';
import type { Company } from './company-forms.tsx';

/** What a company may do, with the buttons that change it. */
export function Access({ company }: { readonly company: Company }) {
  const { id, verified, suspendedAt, productionApprovedAt, autoPublish, access, districts } = company;
  const { company: texts, environments, words } = useTexts();
  const { facts, actions } = texts;
  return (
    <>
      <h2>{texts.access}</h2>
      <Facts
        facts={[
          [environments.production.name, <Environment key="production" access={access.production} />],
          [environments.sandbox.name, <Environment key="sandbox" access={access.sandbox} />],
          [facts.id, String(id)],
          [facts.created, <Instant key="created" at={company.createdAt} />],
          [facts.approved, productionApprovedAt ? <Instant at={productionApprovedAt} /> : words.no],
          [facts.suspended, suspendedAt ? <Instant at={suspendedAt} /> : words.no],
          [facts.verified, verified ? words.yes : words.no],
          [facts.autoPublish, autoPublish ? words.yes : words.no],
          [facts.regions, districts.length === 0 ? texts.allRegions : districts.map(({ name }) => name).join(', ')],
        ]}
      />
      <div class="actions">
        {productionApprovedAt === null && <Action id={id} name="approve" text={actions.approve} />}
        {suspendedAt === null ? (
          <Action id={id} name="suspend" text={actions.suspend} />
        ) : (
          <Action id={id} name="reinstate" text={actions.reinstate} />
        )}
        {verified ? (
          <Action id={id} name="unverify" text={actions.unverify} />
        ) : (
          <Action id={id} name="verify" text={actions.verify} />
        )}
        {autoPublish ? (
          <Action id={id} name="review-jobs" text={actions.reviewJobs} />
        ) : (
          <Action id={id} name="auto-publish" text={actions.autoPublish} />
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
  const { company: texts } = useTexts();
  if (access.kind !== 'open') return <AccessBadge access={access} />;
  const { used, entitlement } = access;
  return (
    <>
      <AccessBadge access={access} />
      {entitlement.limit === unlimited ? texts.usedUnlimited(used) : texts.used(used, entitlement.limit)}
    </>
  );
}
