import { unlimited } from '../../../domain/eligibility.ts';
import type { EnvironmentAccess } from '../../../operations/companies/show-company.ts';
import { AccessBadge } from '../../components/badges.tsx';
import { PostForm } from '../../components/form.tsx';
import { Facts, Instant } from '../../components/text.tsx';
import { companyPath } from '../paths.ts';
import type { Company } from './company-forms.tsx';

/** What a company may do, with the buttons that change it. */
export const Access = ({ company }: { readonly company: Company }) => {
  const { id, verified, suspendedAt, productionApprovedAt, autoPublish, access, districts } = company;
  return (
    <>
      <h2>Access</h2>
      <Facts
        facts={[
          ['Production', <Environment key="production" access={access.production} />],
          ['Sandbox', <Environment key="sandbox" access={access.sandbox} />],
          ['Company ID', String(id)],
          ['Created', <Instant key="created" at={company.createdAt} />],
          ['Approved for production', productionApprovedAt ? <Instant at={productionApprovedAt} /> : 'No'],
          ['Suspended', suspendedAt ? <Instant at={suspendedAt} /> : 'No'],
          ['Verified', verified ? 'Yes' : 'No'],
          ['Publishes without review', autoPublish ? 'Yes' : 'No'],
          ['May publish in', districts.length === 0 ? 'All regions' : districts.map(({ name }) => name).join(', ')],
        ]}
      />
      <div class="actions">
        {productionApprovedAt === null && <Action id={id} name="approve" text="Approve for production" />}
        {suspendedAt === null ? (
          <Action id={id} name="suspend" text="Suspend" />
        ) : (
          <Action id={id} name="reinstate" text="Reinstate" />
        )}
        {verified ? (
          <Action id={id} name="unverify" text="Remove verification" />
        ) : (
          <Action id={id} name="verify" text="Mark as verified" />
        )}
        {autoPublish ? (
          <Action id={id} name="review-jobs" text="Require review" />
        ) : (
          <Action id={id} name="auto-publish" text="Publish without review" />
        )}
      </div>
    </>
  );
};

const Action = ({ id, name, text }: { readonly id: bigint; readonly name: string; readonly text: string }) => (
  <PostForm action={`${companyPath(id)}/${name}`}>
    <button type="submit" class="secondary small">
      {text}
    </button>
  </PostForm>
);

const Environment = ({ access }: { readonly access: EnvironmentAccess }) => (
  <>
    <AccessBadge access={access} />
    {access.kind === 'open' && ` ${usageText(access.used, access.entitlement.limit)}`}
  </>
);

const usageText = (used: number, limit: number): string =>
  limit === unlimited ? `${used} jobs used, no limit` : `${used} of ${limit} jobs used`;
