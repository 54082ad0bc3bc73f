import * as z from 'zod';
import type { Context } from '../../../context.ts';
import { operations } from '../../../contract/document.ts';
import type { OperationId } from '../../../contract/types.ts';
import { dayMs } from '../../../domain/dates.ts';
import type { Reasons } from '../../../domain/errors.ts';
import { type RefusalReason, requestLogDays } from '../../../telemetry/logged-request.ts';
import { ofCompany } from '../../companies/people/change-company.ts';
import { companyNamed } from '../../companies/people/list-companies.ts';
import { credentialChoices } from '../../credentials/people/list-credentials.ts';
import { type ChoicesOf, declareList } from '../../kit/declare.ts';
import { declareExport } from '../../kit/declare-export.ts';
import {
  before,
  choice,
  companyId,
  companyIdOrName,
  environment,
  id,
  line,
  minutes,
  searchText,
  separator,
  sort,
  spanOf,
} from '../../kit/fields.ts';
import { findUnread, type Place, type RequestRow, listRequests as readRequests } from '../requests-sql.ts';

const entriesPerPage = 50;
/** How many requests a filtered page reads. */
const readMax = 50_000;

export const protocolNames = { rest: 'REST', mcp: 'MCP' };

/** The labels of the reasons of 404 and 410 for each kind of resource. */
const ofResources = [...new Set([...operations.values()].flatMap(({ resource }) => resource ?? []))].flatMap((noun) => [
  [noun, `No such ${noun}`],
  [`${noun}_removed`, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} removed`],
]);

export const reasonLabels: Readonly<Record<string, string>> = {
  https: 'Not over HTTPS',
  malformed_request: 'Malformed request',
  credential: 'No valid credential',
  scope: 'Read-only credential',
  plan: 'No plan that includes production',
  approval: 'Not approved for production',
  quota: 'Quota used up',
  permission: 'Company or region not permitted',
  job: 'No such job',
  path: 'No such address',
  method: 'Method not allowed',
  idempotency_key: 'Idempotency key reused with different data',
  job_removed: 'Job removed',
  changed: 'Changed since it was read',
  body_size: 'Body too large',
  media_type: 'Not JSON',
  content_encoding: 'Compressed body',
  invalid_input: 'Invalid fields',
  mcp_message: 'MCP message not understood',
  company: "Company's request limit",
  address: "Network address's request limit",
  simulated: 'Simulated failure',
  database: 'Database not available',
  sanitizer: 'Texts not checked in time',
  draining: 'Service shutting down',
  maintenance: 'Maintenance',
  overload: 'Too many requests at once',
  internal: 'Internal error',
  ...Object.fromEntries(ofResources),
} satisfies Record<Exclude<RefusalReason, Reasons[404] | Reasons[410]> | 'job' | 'path' | 'job_removed', string>;

const status = '[1-5](xx|\\d\\d)';
const notAStatus = 'must be a status such as 404, a class such as 4xx, or two such as 4xx-5xx';

/** The filters that are the same for the list of one company and that of all companies. */
const fields = {
  ...minutes(),
  text: searchText().optional().meta({ hint: 'A whole request ID or trace ID.' }),
  reason: choice(Object.keys(reasonLabels) as [RefusalReason])
    .optional()
    .meta({ label: 'Reason', valueLabels: reasonLabels }),
  status: line(100)
    .toLowerCase()
    .regex(new RegExp(`^${status}(-${status})?$`), notAStatus)
    .refine((text) => {
      const [first, last] = statusesOf(text);
      return first <= last;
    }, notAStatus)
    .optional()
    .meta({ label: 'Status', hint: '404, 4xx or 4xx-5xx' }),
  operation: line(100).optional().meta({ label: 'Operation', placeholder: 'operationId' }),
  protocol: choice(['rest', 'mcp']).optional().meta({ label: 'Protocol', valueLabels: protocolNames }),
};

const ofOne = z.object({
  companyId: companyId(),
  environment: environment().default('production'),
  ...fields,
  credentialId: id().optional().meta({ label: 'Credential' }),
  sort: sort(['newest', 'oldest']),
  before: before(),
});

const ofAll = z.object({
  companyId: companyIdOrName().optional(),
  ...fields,
  environment: environment().optional(),
  sort: sort(['newest', 'oldest']),
  before: before(),
});

type Asked = Omit<z.output<typeof ofAll>, 'companyId'> &
  Partial<Pick<z.output<typeof ofOne>, 'credentialId'>> & { companyId?: bigint | undefined };

const operationChoices: ChoicesOf = async () => [...operations.keys()].sort().map((name) => [name, name]);

const requests = {
  items: 'requests',
  columns: {
    at: 'Time',
    operation: 'Operation',
    companyName: 'Company',
    environment: 'Environment',
    protocol: 'Protocol',
    status: 'Status',
    reason: 'Reason',
    latencyMs: 'Latency',
    credentialLabel: 'Credential',
    requestId: 'Request ID',
  },
  read: async (
    ctx: Context,
    { status, credentialId, from, to, sort, before, companyId, environment, ...asked }: Asked,
    entriesMax = entriesPerPage,
  ) => {
    const span = spanOf(ctx, from, to);
    const isFiltered = [status, credentialId, ...Object.values(asked)].some((value) => value !== undefined);
    const filter = {
      companyId,
      environment,
      ...asked,
      isRefused: companyId === undefined && asked.text === undefined,
      credentialId: credentialId === undefined ? undefined : Number(credentialId),
      statuses: status === undefined ? undefined : statusesOf(status),
    };
    const since = span.since && span.since > oldest(ctx) ? span.since : oldest(ctx);
    const place = before === undefined ? undefined : placeOf(before, since);
    // Reads one row more than the page shows, to know whether there is a next page.
    const range = { since, until: span.until, sort, place };
    // No index fits a filter.
    const unread =
      isFiltered && companyId !== undefined && environment !== undefined
        ? await findUnread(ctx.db, { companyId, environment }, range, readMax)
        : undefined;
    const rows = await readRequests(ctx.db, filter, { ...range, unread, rowsMax: entriesMax + 1 });
    const items = rows.slice(0, entriesMax).map(withResource);
    const rest = unread ? BigInt(Number(unread)) * placesMax : null;
    const next = rows.length > entriesMax ? cursorAfter(items, place) : rest;
    return { items, next, isRefused: filter.isRefused };
  },
};

/** Adds the kind of resource that the request's operation is about, and the job's id if it is a job. */
function withResource(row: RequestRow) {
  const { resource = null } = operations.get(row.operation as OperationId) ?? {};
  return { ...row, resource, jobId: resource === 'job' ? row.resourceId : null };
}

const placesMax = 1000n;

/** Skips nothing if the requests to skip are before `since`, and so no longer listed. */
function placeOf(cursor: bigint, since: Date): Place {
  const at = new Date(Number(cursor / placesMax));
  return { at, skip: at < since ? 0n : cursor % placesMax };
}

/** Combines the last request's time in milliseconds with the number of listed requests of that time, because ids are not ordered by time. */
function cursorAfter(items: readonly RequestRow[], place: Place | undefined): bigint {
  const at = Number(items.at(-1)?.at);
  const listed = BigInt(items.filter((item) => Number(item.at) === at).length);
  return BigInt(at) * placesMax + listed + (Number(place?.at) === at ? (place?.skip ?? 0n) : 0n);
}

/** Lists a company's requests of the last `requestLogDays` in one environment. Throws `invalid_input`. */
export const listRequests = declareList({
  ...requests,
  command: 'request list',
  title: `List a company's requests of the last ${requestLogDays} days in one environment`,
  by: ['operator', 'administrator', 'person'],
  input: ofOne,
  choices: { operation: operationChoices, credentialId: credentialChoices },
});

export const exportRequests = declareExport({
  command: 'request export',
  title: `Export a company's requests of the last ${requestLogDays} days in one environment, as CSV`,
  label: 'Export as CSV',
  by: ['operator', 'administrator', 'person'],
  input: ofOne.omit({ sort: true, before: true }).extend({ separator: separator() }),
  subject: ofCompany,
  list: listRequests,
  more: ['credentialId', 'jobId', 'resource', 'resourceId', 'fields', 'message', 'traceparent'],
  read: (ctx, input, rowsMax) => requests.read(ctx, { ...input, sort: 'newest' }, rowsMax),
});

/**
 * Lists requests of all companies, or of one company in both environments. Without a company and without a request or trace id, lists only
 * refused requests, because only those have an index.
 */
export const searchRequests = declareList({
  acrossCompanies: true,
  ...requests,
  command: 'request search',
  title: `Search the requests of the last ${requestLogDays} days: all of one company, or those refused of all companies`,
  by: ['operator', 'administrator'],
  input: ofAll,
  choices: { operation: operationChoices },
  read: async (ctx, { companyId, ...asked }) =>
    requests.read(ctx, { ...asked, companyId: await companyNamed(ctx, companyId) }),
});

const oldest = ({ now }: Context): Date => new Date(now.getTime() - requestLogDays * dayMs);

function statusesOf(status: string): [number, number] {
  const [first = '', last = first] = status.split('-');
  return [Number(first.replace('xx', '00')), Number(last.replace('xx', '99'))];
}
