import type { CompanyPerson } from '../../../auth/person.ts';
import { showCompany } from '../../../operations/companies/show-company.ts';
import { listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { requestsPerMinute } from '../../../operations/requests/list-requests.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { Expiring } from '../credentials/expiring.tsx';
import { EnvironmentCard } from './environment-card.tsx';

const environments = ['production', 'sandbox'] as const;

/** How the company stands in each environment. */
export async function overview(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const { company: own, isMain } = ctx.person;
  const companyId = own.id;
  const [company, { valid }, production, sandbox] = await Promise.all([
    showCompany(ctx, { companyId }),
    listCredentials(ctx, { companyId }),
    requestsPerMinute(ctx, { companyId, environment: 'production' }),
    requestsPerMinute(ctx, { companyId, environment: 'sandbox' }),
  ]);
  const minutes = { production, sandbox };
  return page(
    'Overview',
    <>
      <h1>Overview</h1>
      <Expiring credentials={valid} isMain={isMain} />
      <div class="grid">
        {environments.map((environment) => (
          <EnvironmentCard
            key={environment}
            environment={environment}
            company={company}
            minutes={minutes[environment]}
          />
        ))}
      </div>
      {valid.length === 0 && (
        <p>
          No program can call the API yet: it needs one of your <a href="/dashboard/credentials">credentials</a>. Issue
          one for the sandbox and try it.
        </p>
      )}
      <p>
        <a href="/docs">API reference</a>
      </p>
    </>,
  );
}
