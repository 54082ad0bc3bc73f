import { requestLogDays, statusUnanswered } from '../../domain/request-entry.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { listRequests } from '../../operations/requests/list-requests.ts';
import { requestsPerDay } from '../../operations/statistics/company-statistics.ts';
import { Badge, type Tone } from '../components/badges.tsx';
import { OlderLink } from '../components/pager.tsx';
import { reasonText } from '../components/refusal-reason.ts';
import { Table } from '../components/table.tsx';
import { Instant } from '../components/text.tsx';
import { tryOperation } from '../form.ts';
import { inEnvironmentLabels } from '../labels.ts';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { idInQuery } from '../params.ts';
import { useT } from '../texts/t.ts';
import {
  isNarrowed,
  protocolNames,
  type RequestFilter,
  RequestFilterForm,
  requestFilterIn,
} from './request-filter.tsx';
import { RequestStatistics } from './request-statistics.tsx';

type Entry = Awaited<ReturnType<typeof listRequests>>['items'][number];

/** The company's logged requests in one environment, newest first. */
export async function requests(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const companyId = ctx.person.company.id;
  const credentials = await listCredentials(ctx, { companyId });
  const filter = requestFilterIn(ctx.query, credentials, t);
  const { environment } = filter.input;
  const before = idInQuery(ctx.query, 'before');
  const [days, { result, errors }] = await Promise.all([
    requestsPerDay(ctx, { companyId, environment }),
    tryOperation(ctx, () => listRequests(ctx, { ...filter.input, companyId, before }), { status: 'status' }),
  ]);
  const content = (
    <>
      <h1>{t('Requests')}</h1>
      <p>{t('Requests of the last {{days}} days. Bodies are not stored.', { days: requestLogDays })}</p>
      <RequestFilterForm filter={filter} errors={errors ?? {}} />
      <RequestStatistics days={days} />
      {result && result.items.length > 0 && (
        <RequestTable
          label={t('Requests {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) })}
          requests={result.items}
        />
      )}
      {result?.items.length === 0 && <NoRequests filter={filter} isFirstPage={before === undefined} />}
      <OlderLink
        next={result?.next}
        query={filter.values}
        text={filter.input.sort === 'oldest' ? t('Newer requests') : t('Older requests')}
      />
    </>
  );
  return page(t('Requests'), content, errors);
}

function NoRequests({ filter, isFirstPage }: { readonly filter: RequestFilter; readonly isFirstPage: boolean }) {
  const t = useT();
  if (!isFirstPage) return <p>{t('No more requests.')}</p>;
  if (isNarrowed(filter)) return <p>{t('No requests found. Change the filter or look in the other environment.')}</p>;
  return (
    <p>
      {t(
        'No requests {{inEnvironment}} in the last {{days}} days. Issue a credential under {{link}} and send a request with it. It appears here after about a second.',
        {
          inEnvironment: t(inEnvironmentLabels[filter.input.environment]),
          days: requestLogDays,
          link: <a href="/dashboard/credentials">{t('Credentials')}</a>,
        },
      )}
    </p>
  );
}

function RequestTable({ label, requests: rows }: { readonly label: string; readonly requests: readonly Entry[] }) {
  const t = useT();
  return (
    <Table
      label={label}
      rows={rows}
      rowHead={t('Operation')}
      columns={[
        [t('Time'), ({ at }) => <Instant at={at} withSeconds />],
        [t('Operation'), ({ operation }) => (operation === null ? t('No operation') : <code>{operation}</code>)],
        [t('Protocol'), ({ protocol }) => protocolNames[protocol]],
        [t('Status'), (request) => <Status {...request} />],
        [t('Latency'), ({ latencyMs }) => <span class="nowrap">{`${latencyMs} ms`}</span>],
        [t('Credential'), ({ credentialLabel }) => credentialLabel ?? t('Removed credential')],
        [t('Request ID'), (request) => <RequestIds {...request} />],
      ]}
    />
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
