import type { CompanyPerson } from '../../../auth/person.ts';
import { requestLogDays, statusUnanswered } from '../../../domain/request-entry.ts';
import { listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { listRequests, type RequestList } from '../../../operations/requests/list-requests.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { idInQuery } from '../../params.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import type { FieldErrors } from '../../parts/field.tsx';
import { OlderLink } from '../../parts/older-link.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { Instant } from '../../parts/when.tsx';
import { refusedFields } from '../../refused-fields.ts';
import { filterIn, isNarrowed, protocolNames, type RequestFilter, RequestFilterForm } from './filter.tsx';

type Entry = RequestList['requests'][number];

const nothing: RequestList = { requests: [], next: null };

/** A company's requests of the last days in one environment, newest first. */
export async function requests(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const companyId = ctx.person.company.id;
  const { valid, ended } = await listCredentials(ctx, { companyId });
  const { question, typed, credentials } = filterIn(ctx.query, [...valid, ...ended]);
  const before = idInQuery(ctx.query, 'before');
  let errors: FieldErrors = {};
  const found = await listRequests(ctx, { ...question, companyId, before }).catch((error) => {
    errors = refusedFields(error, { status: 'status' });
    return nothing;
  });
  const isRefused = Object.keys(errors).length > 0;
  const content = (
    <>
      <h1>Requests</h1>
      <p>{`What your programs and agents asked in the last ${requestLogDays} days. Bodies are not kept.`}</p>
      <RequestFilterForm typed={typed} credentials={credentials} errors={errors} />
      {found.requests.length > 0 && <Found {...found} environment={question.environment} />}
      {found.requests.length === 0 && !isRefused && <Nothing typed={typed} isFirst={before === undefined} />}
      <OlderLink next={found.next} query={typed} what="requests" />
    </>
  );
  return page('Requests', content, isRefused ? 422 : 200);
}

function Nothing({ typed, isFirst }: { readonly typed: RequestFilter['typed']; readonly isFirst: boolean }) {
  if (!isFirst) return <p>There is nothing older.</p>;
  if (isNarrowed(typed)) return <p>No request was found. Ask for less, or look into the other environment.</p>;
  return (
    <p>
      {`No request came to the ${typed.environment} in the last ${requestLogDays} days. `}
      Issue a credential on the page of <a href="/dashboard/credentials">credentials</a> and send a request with it: it
      appears here after a second.
    </p>
  );
}

const heads = ['Time', 'Operation', 'Protocol', 'Status', 'Latency', 'Credential', 'Request'];

const Found = ({ requests, environment }: RequestList & { readonly environment: string }) => (
  <Table label={`Requests to the ${environment}`} heads={heads}>
    {requests.map((entry) => (
      <Line key={String(entry.id)} entry={entry} />
    ))}
  </Table>
);

const Line = ({ entry }: { readonly entry: Entry }) => (
  <TableRow>
    <td>
      <Instant at={entry.at} withSeconds />
    </td>
    <th scope="row">{entry.operation ?? 'None'}</th>
    <td>{protocolNames[entry.protocol]}</td>
    <td>
      <StatusBadge status={entry.status} />
    </td>
    <td class="nowrap">{`${entry.latencyMs} ms`}</td>
    <td>{entry.credentialLabel ?? `Credential ${entry.credentialId}`}</td>
    <td>
      <code class="nowrap">{entry.requestId}</code>
    </td>
  </TableRow>
);

const StatusBadge = ({ status }: { readonly status: number }) => (
  <Badge tone={toneOf(status)} text={status === statusUnanswered ? `${status}, no answer` : String(status)} />
);

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
