import { showCompany } from '../../operations/companies/show-company.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { requestsPerMinute } from '../../operations/requests/list-requests.ts';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { ExpiringCredentials } from './credentials/credentials.tsx';
import { EnvironmentCard } from './environment-card.tsx';

/** The state of both environments. */
export async function overview(ctx: DashboardContext): Promise<PageAnswer> {
  const { isMain, company: own } = ctx.person;
  const companyId = own.id;
  const [company, { valid }, production, sandbox] = await Promise.all([
    showCompany(ctx, { companyId }),
    listCredentials(ctx, { companyId }),
    requestsPerMinute(ctx, { companyId, environment: 'production' }),
    requestsPerMinute(ctx, { companyId, environment: 'sandbox' }),
  ]);
  return page(
    'Overview',
    <>
      <h1>Overview</h1>
      <ExpiringCredentials credentials={valid} isMain={isMain} />
      <div class="grid">
        <EnvironmentCard environment="production" company={company} minutes={production} />
        <EnvironmentCard environment="sandbox" company={company} minutes={sandbox} />
      </div>
      {valid.length === 0 && (
        <p>
          You have no valid credential yet. Issue one for the sandbox under{' '}
          <a href="/dashboard/credentials">credentials</a> and try the API.
        </p>
      )}
      <p>
        <a href="/docs">API reference</a>
      </p>
    </>,
  );
}
