import { requestLogDays, statusUnanswered } from '../../domain/logged-request.ts';
import { listRequests, protocolNames } from '../../operations/requests/list-requests.ts';
import { requestsPerDay } from '../../operations/statistics/company-statistics.ts';
import { Badge, type Tone } from '../components/badges.tsx';
import { reasonText } from '../components/refusal-reason.ts';
import { Facts, Instant } from '../components/text.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import { type Cells, listPage, readList } from '../list.tsx';
import {
  type DashboardContext,
  environmentAsked,
  environmentIn,
  type PageAnswer,
  page,
  pageNotFound,
  useT,
} from '../page.ts';
import type { Translate } from '../texts/t.ts';
import { RequestStatistics } from './statistics.tsx';

type Entry = Awaited<ReturnType<typeof listRequests>>['items'][number];

/** The company's logged requests in one environment, newest first. */
export async function requests(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const companyId = ctx.person.company.id;
  const environment = environmentAsked(ctx.query);
  const { items: days } = await requestsPerDay(ctx, { companyId, environment });
  const read = await readList(ctx, listRequests, { companyId });
  return listPage(t('Requests'), read, {
    intro: (
      <>
        <p>{t('Requests of the last {{days}} days. Bodies are not stored.', { days: requestLogDays })}</p>
        <RequestStatistics days={days} />
      </>
    ),
    none: t(
      'No requests {{inEnvironment}} in the last {{days}} days. Issue a credential under {{link}} and send a request with it. It appears here after about a second.',
      {
        inEnvironment: t(inEnvironmentLabels[environment]),
        days: requestLogDays,
        link: <a href="/dashboard/credentials">{t('Credentials')}</a>,
      },
    ),
    rowName: 'operation',
    cells: {
      ...requestCells(t),
      operation: ({ requestId, operation }) => (
        <a href={`/dashboard/requests/${environment}/${requestId}`}>{operation ?? t('No operation')}</a>
      ),
      reason: null,
      requestId: null,
    },
  });
}

const requestCells = (t: Translate) =>
  ({
    at: ({ at }) => <Instant at={at} withSeconds />,
    operation: ({ operation }) => operation ?? t('No operation'),
    protocol: ({ protocol }) => protocolNames[protocol],
    status: (request) => <Status {...request} />,
    latencyMs: ({ latencyMs }) => `${latencyMs} ms`,
    credentialLabel: ({ credentialLabel }) => credentialLabel ?? t('Removed credential'),
  }) satisfies Cells<Entry>;

const requestIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** All that is kept of a request; of a batch, of each of its tool calls. Throws 404. */
export async function request(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const environment = environmentIn(ctx.params);
  const { request: text = '' } = ctx.params;
  if (!requestIdPattern.test(text)) throw pageNotFound();
  const { items } = await listRequests(ctx, { companyId: ctx.person.company.id, environment, text });
  if (items.length === 0) throw pageNotFound();
  const cells = requestCells(t);
  const { columns } = listRequests;
  const content = (
    <>
      <h1>{t('Request')}</h1>
      {items.map((item) => (
        <article class="narrow">
          <Facts
            facts={[
              ...Object.entries(cells).map(
                ([name, cell]) => [t(columns[name as keyof typeof cells] ?? name), cell(item)] as const,
              ),
              [t('Refused fields'), item.fields.length > 0 ? item.fields.map((field) => fieldText(field, t)) : null],
              [t('Request ID'), <code>{item.requestId}</code>],
              [t('Trace ID'), item.traceparent && <code>{item.traceparent.split('-')[1]}</code>],
            ]}
          />
        </article>
      ))}
      <p>
        <a href={`/dashboard/requests?environment=${environment}`}>{t('Back to the requests')}</a>
      </p>
    </>
  );
  return page(t('Request'), content);
}

/** A name of the contract, or the number of others. */
function fieldText(field: string, t: Translate) {
  const [, count] = /^(\d+) unknown$/.exec(field) ?? [];
  return count === undefined ? <code>{field} </code> : t('unknown names: {{number}}', { number: Number(count) });
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
