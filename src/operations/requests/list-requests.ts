import { z } from 'zod';
import type { Context } from '../../context.ts';
import { rejection } from '../../domain/errors.ts';
import { requestLogDays } from '../../domain/logged-request.ts';
import { declareList, declareShow } from '../declare.ts';
import { before, choice, companyId, environment, id, line, searchText, sort } from '../fields.ts';
import { findRequest, type RequestRow, listRequests as readRequests } from './requests-sql.ts';

const entriesPerPage = 50;
const dayMs = 86_400_000;

/** People know a request by its request id. */
const withoutId = ({ id: _, ...request }: RequestRow): Omit<RequestRow, 'id'> => request;

export const protocolNames = { rest: 'REST', mcp: 'MCP' };

/** Lists a company's requests of the last 7 days in one environment. Throws `invalid_input`. */
export const listRequests = declareList({
  command: 'request list',
  title: `List a company's requests of the last ${requestLogDays} days in one environment`,
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
    operation: line(100).optional().meta({ label: 'Operation', hint: 'Such as createJob.', choices: 'operations' }),
    credentialId: id().optional().meta({ label: 'Credential', hint: 'ID of the credential.', choices: 'credentials' }),
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
  title: `Show a request of the last ${requestLogDays} days`,
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    requestId: line(100).meta({ label: 'Request', hint: 'ID of the request, or its trace ID.' }),
    companyId: companyId().optional().meta({ hint: 'Without it, the requests of all companies are searched.' }),
    environment: environment().optional(),
  }),
  read: async (ctx, { requestId: text, companyId, environment }) => {
    const found = await findRequest(ctx.db, { text, companyId, environment }, oldest(ctx));
    if (!found) throw rejection('unknown_entry', 'There is no such request of a company.', 'requestId');
    return withoutId(found);
  },
});

const oldest = ({ now }: Context): Date => new Date(now.getTime() - requestLogDays * dayMs);

function statusesOf(status: string): [number, number] {
  const hundred = Number(status[0]) * 100;
  return status.endsWith('xx') ? [hundred, hundred + 99] : [Number(status), Number(status)];
}
