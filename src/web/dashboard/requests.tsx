import { requestLogDays, statusUnanswered } from '../../domain/request-entry.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { listRequests, type RequestList } from '../../operations/requests/list-requests.ts';
import { Badge, type Tone } from '../components/badges.tsx';
import { OlderLink } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { Instant } from '../components/text.tsx';
import { tryOperation } from '../form.ts';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { idInQuery } from '../params.ts';
import {
  isNarrowed,
  protocolNames,
  type RequestFilter,
  RequestFilterForm,
  requestFilterIn,
} from './request-filter.tsx';

/** The company's logged requests in one environment, newest first. */
export async function requests(ctx: DashboardContext): Promise<PageAnswer> {
  const companyId = ctx.person.company.id;
  const credentials = await listCredentials(ctx, { companyId });
  const filter = requestFilterIn(ctx.query, credentials);
  const before = idInQuery(ctx.query, 'before');
  const { result, errors } = await tryOperation(() => listRequests(ctx, { ...filter.input, companyId, before }), {
    status: 'status',
  });
  const content = (
    <>
      <h1>Requests</h1>
      <p>{`Requests of the last ${requestLogDays} days. Bodies are not stored.`}</p>
      <RequestFilterForm filter={filter} errors={errors ?? {}} />
      {result && result.requests.length > 0 && (
        <RequestTable label={`Requests to ${filter.input.environment}`} requests={result.requests} />
      )}
      {result?.requests.length === 0 && <NoRequests filter={filter} isFirstPage={before === undefined} />}
      <OlderLink next={result?.next} query={filter.values} what="requests" />
    </>
  );
  return page('Requests', content, errors);
}

function NoRequests({ filter, isFirstPage }: { readonly filter: RequestFilter; readonly isFirstPage: boolean }) {
  if (!isFirstPage) return <p>No older requests.</p>;
  if (isNarrowed(filter)) return <p>No requests found. Change the filter or look in the other environment.</p>;
  return (
    <p>
      {`No ${filter.input.environment} requests in the last ${requestLogDays} days. `}
      Issue a credential under <a href="/dashboard/credentials">credentials</a> and send a request with it. It appears
      here after about a second.
    </p>
  );
}

const RequestTable = ({ label, requests: rows }: { readonly label: string } & Pick<RequestList, 'requests'>) => (
  <Table
    label={label}
    rows={rows}
    rowHead="Operation"
    columns={[
      ['Time', ({ at }) => <Instant at={at} withSeconds />],
      ['Operation', ({ operation }) => operation ?? 'None'],
      ['Protocol', ({ protocol }) => protocolNames[protocol]],
      ['Status', ({ status }) => <StatusBadge status={status} />],
      ['Latency', ({ latencyMs }) => <span class="nowrap">{`${latencyMs} ms`}</span>],
      ['Credential', ({ credentialLabel, credentialId }) => credentialLabel ?? `Credential ${credentialId}`],
      ['Request ID', RequestIds],
    ]}
  />
);

/** The id, and the trace that the client named. */
const RequestIds = ({ requestId, traceparent }: RequestList['requests'][number]) => (
  <>
    <code class="breakable">{requestId}</code>
    {traceparent === null ? null : <small class="breakable">{` trace ${traceparent.split('-')[1]}`}</small>}
  </>
);

const StatusBadge = ({ status }: { readonly status: number }) => (
  <Badge tone={toneOf(status)} text={status === statusUnanswered ? `${status}, no answer` : String(status)} />
);

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
