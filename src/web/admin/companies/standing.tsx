import { unlimited } from '../../../domain/eligibility.ts';
import { accessBlockersText } from '../../parts/access-blockers.ts';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { Instant } from '../../parts/when.tsx';
import { type Company, companyPath } from './company.ts';

/** How a company stands, each line with the act that changes it. */
export const CompanyStanding = ({ company }: { readonly company: Company }) => {
  const { id, verified, suspendedAt, productionApprovedAt, autoPublish, access, districts } = company;
  return (
    <>
      <h2>Standing</h2>
      <Facts
        facts={[
          ['Production', <Access key="p" access={access.production} />],
          ['Sandbox', <Access key="s" access={access.sandbox} />],
          ['Company', `Number ${id}`],
          ['Since', <Instant key="since" at={company.createdAt} />],
          ['Approved for production', productionApprovedAt ? <Instant at={productionApprovedAt} /> : 'No'],
          ['Suspended', suspendedAt ? <Instant at={suspendedAt} /> : 'No'],
          ['Verified', verified ? 'Yes' : 'No'],
          ['Publishes without review', autoPublish ? 'Yes' : 'No'],
          ['May publish in', districts.length === 0 ? 'All regions' : districts.map(({ name }) => name).join(', ')],
        ]}
      />
      <div class="acts">
        {productionApprovedAt === null && <Act id={id} act="approve" text="Approve for production" />}
        {suspendedAt === null ? (
          <Act id={id} act="suspend" text="Suspend" />
        ) : (
          <Act id={id} act="reinstate" text="Reinstate" />
        )}
        {verified ? (
          <Act id={id} act="unverify" text="Take verification back" />
        ) : (
          <Act id={id} act="verify" text="Mark as verified" />
        )}
        {autoPublish ? (
          <Act id={id} act="review-jobs" text="Review its jobs" />
        ) : (
          <Act id={id} act="auto-publish" text="Publish without review" />
        )}
      </div>
    </>
  );
};

const Act = ({ id, act, text }: { readonly id: bigint; readonly act: string; readonly text: string }) => (
  <PostForm action={`${companyPath(id)}/${act}`}>
    <button type="submit" class="secondary small">
      {text}
    </button>
  </PostForm>
);

function Access({ access }: { readonly access: Company['access']['production'] }) {
  if (access.kind === 'closed') return <Badge tone="waiting" text={accessBlockersText(access.blockers)} />;
  const { limit } = access.entitlement;
  return <Badge tone="good" text={`Open, ${access.used} of ${limit === unlimited ? 'unlimited' : limit} used`} />;
}
