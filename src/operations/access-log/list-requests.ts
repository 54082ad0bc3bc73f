import { z } from 'zod';
import type { Context } from '../../context.ts';
import { accessLogDays } from '../../domain/access-entry.ts';
import type { Tenant } from '../../domain/environment.ts';
import { rejection } from '../../domain/errors.ts';
import {
  type AccessRow,
  countByMinute,
  type MinuteCount,
  listRequests as readRequests,
} from '../../queries/access-entries.ts';
import { declareList, declareShow } from '../declare.ts';
import { before, choice, companyId, environment, id, line, searchText, sort } from '../fields.ts';

const entriesPerPage = 50;
const dayMs = 86_400_000;

/** People know a request by its request id. */
const withoutId = ({ id: _, ...request }: AccessRow): Omit<AccessRow, 'id'> => request;

export const protocolNames = { rest: 'REST', mcp: 'MCP' };

/** Lists a company's requests of the last 7 days in one environment. Throws `invalid_input`. */
export const listRequests = declareList({
  command: 'request list',
  noPage: "Its page is a company's own, in the dashboard.",
  title: "List a company's requests of the last 7 days in one environment",
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    companyId: companyId(),
    environment: environment().default('production'),
    text: searchText().optional().meta({ hint: 'A whole request ID or trace ID.' }),
    status: line(100)
      .toLowerCase()
      .regex(/^[1-5](xx|\d\d)$/, 'must be a status such as 404, or a class such as 4xx')
      .optional()
      .meta({ label: 'Status', hint: '404 or 4xx' }),
    operation: line(100).optional().meta({ label: 'Operation', hint: 'Such as createJob.' }),
    credentialId: id().optional().meta({ label: 'Credential', hint: 'ID of the credential.' }),
    protocol: choice(['rest', 'mcp']).optional().meta({ label: 'Protocol', valueLabels: protocolNames }),
    sort: sort(['newest', 'oldest']),
    before: before(),
  }),
  items: 'requests',
  columns: {
    at: 'Time',
    operation: 'Operation',
    protocol: 'Protocol',
    status: 'Status',
    reason: 'Reason',
    latencyMs: 'Latency',
    credentialLabel: 'Credential',
    requestId: 'Request ID',
  },
  read: async (ctx, { companyId, environment, status, credentialId, sort, before, ...rest }) => {
    const statuses = status === undefined ? undefined : statusesOf(status);
    const filter = { ...rest, credentialId: credentialId === undefined ? undefined : Number(credentialId), statuses };
    // One row more than shown tells whether there is a next page.
    const range = { since: oldest(ctx), sort, before, rowsMax: entriesPerPage + 1 };
    const rows = await readRequests(ctx.db, { companyId, environment }, filter, range);
    const next = rows.length > entriesPerPage ? rows[entriesPerPage - 1]?.id : null;
    return { items: rows.slice(0, entriesPerPage).map(withoutId), next };
  },
});

/** Throws `unknown_entry`. */
export const showRequest = declareShow({
  command: 'request show',
  noPage: 'The list has everything of it.',
  title: "Show one of a company's requests of the last 7 days",
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    requestId: line(100).meta({ label: 'Request', hint: 'ID of the request, or its trace ID.' }),
    companyId: companyId(),
    environment: environment().default('production'),
  }),
  read: async (ctx, { requestId, ...tenant }) => {
    const range = { since: oldest(ctx), sort: 'newest', before: undefined, rowsMax: 1 } as const;
    const [found] = await readRequests(ctx.db, tenant, { text: requestId }, range);
    if (!found) throw rejection('unknown_entry', 'The company has no such request.', 'requestId');
    return withoutId(found);
  },
});

const oldest = ({ now }: Context): Date => new Date(now.getTime() - accessLogDays * dayMs);

function statusesOf(status: string): [number, number] {
  const hundred = Number(status[0]) * 100;
  return status.endsWith('xx') ? [hundred, hundred + 99] : [Number(status), Number(status)];
}

const minutes = 60;
const minuteMs = 60_000;

/** Counts the requests of the last hour by minute: 60 entries, oldest first, ending with the current minute. */
export const requestsPerMinute = (ctx: Context, { companyId, environment }: Tenant): Promise<MinuteCount[]> =>
  countByMinute(ctx.db, { companyId, environment }, new Date(ctx.now.getTime() - (minutes - 1) * minuteMs), ctx.now);
