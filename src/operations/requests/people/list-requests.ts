import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { dayMs } from '../../../domain/dates.ts';
import { type RefusalReason, requestLogDays } from '../../../telemetry/logged-request.ts';
import { declareList } from '../../declare.ts';
import { before, choice, companyId, days, environment, id, line, searchText, sort, spanOf } from '../../fields.ts';
import { type Place, type RequestRow, listRequests as readRequests } from '../requests-sql.ts';

const entriesPerPage = 50;

export const protocolNames = { rest: 'REST', mcp: 'MCP' };

export const reasonLabels: Readonly<Record<RefusalReason, string>> = {
  https: 'Not over HTTPS',
  malformed_request: 'Malformed request',
  credential: 'No valid credential',
  scope: 'Read-only credential',
  plan: 'Plan not eligible',
  approval: 'Not approved for production',
  quota: 'Quota used up',
  permission: 'Company or region not permitted',
  job: 'No such job',
  path: 'No such address',
  method: 'Method not allowed',
  idempotency_key: 'Idempotency key of another request',
  job_removed: 'Job removed',
  changed: 'Job changed since it was read',
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
};

/** What the lists of one company and of all are searched by. */
const fields = {
  text: searchText().optional().meta({ hint: 'A whole request ID or trace ID.' }),
  reason: choice(Object.keys(reasonLabels) as [RefusalReason])
    .optional()
    .meta({ label: 'Reason', valueLabels: reasonLabels }),
  status: line(100)
    .toLowerCase()
    .regex(/^[1-5](xx|\d\d)$/, 'must be a status such as 404, or a class such as 4xx')
    .optional()
    .meta({ label: 'Status', hint: '404 or 4xx' }),
};

const ofCompany = z.object({
  companyId: companyId(),
  environment: environment().default('production'),
  ...fields,
  operation: line(100).optional().meta({ label: 'Operation', hint: 'Such as createJob.', choices: 'operations' }),
  credentialId: id().optional().meta({ label: 'Credential', hint: 'ID of the credential.', choices: 'credentials' }),
  protocol: choice(['rest', 'mcp']).optional().meta({ label: 'Protocol', valueLabels: protocolNames }),
  sort: sort(['newest', 'oldest']),
  before: before(),
});

const ofAll = z.object({
  ...fields,
  companyId: companyId().optional().meta({ hint: 'Without it, only refused requests are listed.' }),
  ...days(),
  environment: environment().optional(),
  sort: sort(['newest', 'oldest']),
  before: before(),
});

type Asked = z.output<typeof ofAll> & Partial<Omit<z.output<typeof ofCompany>, keyof typeof ofAll.shape>>;

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
  read: async (ctx: Context, { status, credentialId, firstDay, lastDay, sort, before, ...asked }: Asked) => {
    const { from = new Date(0), until } = spanOf(ctx, firstDay, lastDay);
    const filter = {
      ...asked,
      isRefused: asked.companyId === undefined && asked.text === undefined,
      credentialId: credentialId === undefined ? undefined : Number(credentialId),
      statuses: status === undefined ? undefined : statusesOf(status),
    };
    const since = from > oldest(ctx) ? from : oldest(ctx);
    const place =
      before === undefined ? undefined : { at: new Date(Number(before / placesMax)), skip: before % placesMax };
    // One row more than shown tells whether there is a next page.
    const rows = await readRequests(ctx.db, filter, { since, until, sort, place, rowsMax: entriesPerPage + 1 });
    const items = rows.slice(0, entriesPerPage);
    return { items, next: rows.length > entriesPerPage ? cursorAfter(items, place) : null };
  },
};

const placesMax = 1000n;

/** The time of the last request in milliseconds, and how many of that millisecond have been listed: ids are not in the order of time. */
function cursorAfter(items: readonly RequestRow[], place: Place | undefined): bigint {
  const at = Number(items.at(-1)?.at);
  const listed = BigInt(items.filter((item) => Number(item.at) === at).length);
  return BigInt(at) * placesMax + listed + (Number(place?.at) === at ? (place?.skip ?? 0n) : 0n);
}

/** Lists a company's requests of the last 7 days in one environment. Throws `invalid_input`. */
export const listRequests = declareList({
  ...requests,
  command: 'request list',
  title: `List a company's requests of the last ${requestLogDays} days in one environment`,
  by: ['operator', 'administrator', 'person'],
  input: ofCompany,
});

/** The same of all companies, or of one in both environments. Without a company or an ID: those that were refused, which have an index. */
export const searchRequests = declareList({
  ...requests,
  command: 'request search',
  title: `Search the requests of all companies in the last ${requestLogDays} days`,
  by: ['operator', 'administrator'],
  input: ofAll,
});

const oldest = ({ now }: Context): Date => new Date(now.getTime() - requestLogDays * dayMs);

function statusesOf(status: string): [number, number] {
  const hundred = Number(status[0]) * 100;
  return status.endsWith('xx') ? [hundred, hundred + 99] : [Number(status), Number(status)];
}
