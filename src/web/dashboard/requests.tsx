import { operations } from '../../contract/document.ts';
import { requestLogDays, statusUnanswered } from '../../domain/request-entry.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { listRequests, protocolNames } from '../../operations/requests/list-requests.ts';
import { requestsPerDay } from '../../operations/statistics/company-statistics.ts';
import { Badge, type Tone } from '../components/badges.tsx';
import { maskedSecret } from '../components/credential-table.tsx';
import { reasonText } from '../components/refusal-reason.ts';
import { Instant } from '../components/text.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import { List, readList } from '../list.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { environmentOptions, optionIn } from '../params.ts';
import { useT } from '../texts/t.ts';
import { RequestStatistics } from './request-statistics.tsx';

type Entry = Awaited<ReturnType<typeof listRequests>>['items'][number];

const operationOptions = [...operations.keys()].sort().map((name) => [name, name] as const);

/** The company's logged requests in one environment, newest first. */
export async function requests(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const companyId = ctx.person.company.id;
  const environment = optionIn(ctx.query, 'environment', environmentOptions(t)) ?? 'production';
  const { valid, ended } = await listCredentials(ctx, { companyId });
  const credentialId = [...valid, ...ended]
    .filter((credential) => credential.environment === environment)
    .map((credential) => [String(credential.id), `${credential.label} ${maskedSecret(credential)}`] as const);
  const [days, read] = await Promise.all([
    requestsPerDay(ctx, { companyId, environment }),
    readList(ctx, listRequests, { companyId }, { credentialId, operation: operationOptions }),
  ]);
  const none = t(
    'No requests {{inEnvironment}} in the last {{days}} days. Issue a credential under {{link}} and send a request with it. It appears here after about a second.',
    {
      inEnvironment: t(inEnvironmentLabels[environment]),
      days: requestLogDays,
      link: <a href="/dashboard/credentials">{t('Credentials')}</a>,
    },
  );
  return page(
    t('Requests'),
    <>
      <h1>{t('Requests')}</h1>
      <p>{t('Requests of the last {{days}} days. Bodies are not stored.', { days: requestLogDays })}</p>
      <RequestStatistics days={days} />
      <List
        label={t('Requests')}
        read={read}
        none={none}
        rowName="operation"
        cells={{
          at: ({ at }) => <Instant at={at} withSeconds />,
          requestId: (request) => <RequestIds {...request} />,
          protocol: ({ protocol }) => protocolNames[protocol],
          operation: ({ operation }) => (operation === null ? t('No operation') : <code>{operation}</code>),
          status: (request) => <Status {...request} />,
          reason: null,
          latencyMs: ({ latencyMs }) => <span class="nowrap">{`${latencyMs} ms`}</span>,
          credentialLabel: ({ credentialLabel }) => credentialLabel ?? t('Removed credential'),
        }}
      />
    </>,
    read.errors,
  );
}

/** The id, and the trace that the client named. */
function RequestIds({ requestId, traceparent }: Entry) {
  const t = useT();
  const [, traceId = ''] = traceparent?.split('-') ?? [];
  return (
    <>
      <code class="breakable">{requestId}</code>
      {traceId !== '' && <small class="breakable">{` ${t('trace {{id}}', { id: traceId })}`}</small>}
    </>
  );
}

function Status({ status, reason }: Entry) {
  const t = useT();
  const text = status === statusUnanswered ? t('{{status}}, no answer', { status }) : String(status);
  return (
    <>
      <Badge tone={toneOf(status)} text={text} />
      {reason !== null && <small>{` ${reasonText(reason, t)}`}</small>}
    </>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
