import type { ComponentChildren } from 'preact';
import type { Environment } from '../../domain/environment.ts';
import type { EnvironmentAccess } from '../../operations/companies/show-company.ts';
import { environmentLabels } from '../labels.ts';
import { useT } from '../texts/t.ts';
import { AccessBadge } from './badges.tsx';
import { Quota } from './quota.tsx';

interface EnvironmentCardProps {
  readonly environment: Environment;
  readonly access: EnvironmentAccess;
  readonly children: ComponentChildren;
}

/** Whether an environment is open to a company, and its quota. */
export function EnvironmentCard({ environment, access, children }: EnvironmentCardProps) {
  const t = useT();
  return (
    <article class="col-6" aria-labelledby={environment}>
      <h2 id={environment}>
        {t(environmentLabels[environment])} <AccessBadge access={access} />
      </h2>
      {access.kind === 'open' && <Quota id={`${environment}-quota`} used={access.used} {...access.entitlement} />}
      {children}
    </article>
  );
}
