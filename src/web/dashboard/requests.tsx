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
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { idInQuery } from '../params.ts';
import { useTexts } from '../texts/texts.ts';
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
  const companyId = ctx.person.company.id;
  const credentials = await listCredentials(ctx, { companyId });
  const filter = requestFilterIn(ctx.query, credentials, ctx.texts);
  const { environment } = filter.input;
  const before = idInQuery(ctx.query, 'before');
  const [days, { result, errors }] = await Promise.all([
    requestsPerDay(ctx, { companyId, environment }),
    tryOperation(ctx, () => listRequests(ctx, { ...filter.input, companyId, before }), { status: 'status' }),
  ]);
  const { requests: texts, environments } = ctx.texts;
  const content = (
    <>
      <h1>{texts.title}</h1>
      <p>{texts.introduction(requestLogDays)}</p>
      <RequestFilterForm filter={filter} errors={errors ?? {}} />
      <RequestStatistics days={days} />
      {result && result.items.length > 0 && (
        <RequestTable label={texts.label(environments[filter.input.environment].lower)} requests={result.items} />
      )}
      {result?.items.length === 0 && <NoRequests filter={filter} isFirstPage={before === undefined} />}
      <OlderLink
        next={result?.next}
        query={filter.values}
        text={texts[filter.input.sort === 'oldest' ? 'newer' : 'older']}
      />
    </>
  );
  return page(texts.title, content, errors);
}

function NoRequests({ filter, isFirstPage }: { readonly filter: RequestFilter; readonly isFirstPage: boolean }) {
  const { requests: texts, environments } = useTexts();
  const { lower } = environments[filter.input.environment];
  if (!isFirstPage) return <p>{texts.noMore}</p>;
  if (isNarrowed(filter)) return <p>{texts.noneFound}</p>;
  return (
    <p>
      {texts.none(lower, requestLogDays, (text) => (
        <a href="/dashboard/credentials">{text}</a>
      ))}
    </p>
  );
}

function RequestTable({ label, requests: rows }: { readonly label: string; readonly requests: readonly Entry[] }) {
  const { requests: texts, words } = useTexts();
  const { columns } = texts;
  return (
    <Table
      label={label}
      rows={rows}
      rowHead={columns.operation}
      columns={[
        [columns.time, ({ at }) => <Instant at={at} withSeconds />],
        [columns.operation, ({ operation }) => (operation === null ? texts.noOperation : <code>{operation}</code>)],
        [columns.protocol, ({ protocol }) => protocolNames[protocol]],
        [columns.status, (request) => <Status {...request} />],
        [columns.latency, ({ latencyMs }) => <span class="nowrap">{`${latencyMs} ms`}</span>],
        [
          columns.credential,
          ({ credentialLabel, credentialId }) => credentialLabel ?? words.credential(String(credentialId)),
        ],
        [columns.requestId, (request) => <RequestIds {...request} />],
      ]}
    />
  );
}

/** The id, and the trace that the client named. */
function RequestIds({ requestId, traceparent }: Entry) {
  const { requests: texts } = useTexts();
  const [, traceId = ''] = traceparent?.split('-') ?? [];
  return (
    <>
      <code class="breakable">{requestId}</code>
      {traceId !== '' && <small class="breakable">{texts.trace(traceId)}</small>}
    </>
  );
}

function Status({ status, reason }: Entry) {
  const texts = useTexts();
  const text = status === statusUnanswered ? texts.requests.noAnswer(status) : String(status);
  return (
    <>
      <Badge tone={toneOf(status)} text={text} />
      {reason !== null && <small>{` ${reasonText(reason, texts)}`}</small>}
    </>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
