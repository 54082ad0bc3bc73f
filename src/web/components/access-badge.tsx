import type { AccessBlocker } from '../../domain/eligibility.ts';
import type { EnvironmentAccess } from '../../operations/companies/show-company.ts';
import { Badge } from './text.tsx';

const blockerTexts: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Suspended',
  unverified: 'Company not verified',
  plan: 'Plan not eligible',
  approval: 'Waiting for approval',
};

/** Whether an environment is open to a company, and if not, why. */
export const AccessBadge = ({ access }: { readonly access: EnvironmentAccess }) =>
  access.kind === 'open' ? (
    <Badge tone="good" text="Open" />
  ) : (
    <Badge tone="waiting" text={`Closed: ${access.blockers.map((blocker) => blockerTexts[blocker]).join(', ')}`} />
  );
