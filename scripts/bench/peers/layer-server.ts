import type { Request, Response } from 'express';
import { type AuthDeps, authenticateRequest } from '../../../src/auth/admit.ts';
import { LastUse } from '../../../src/auth/last-use.ts';
import { MaintenanceSwitch } from '../../../src/auth/maintenance-switch.ts';
import { readConfig } from '../../../src/config.ts';
import type { Services } from '../../../src/context.ts';
import { compileValidators } from '../../../src/contract/validate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { requestTimeAt } from '../../../src/domain/request-time.ts';
import { openLog } from '../../../src/log.ts';
import { callTool } from '../../../src/mcp/call-tool.ts';
import { instructionsFor } from '../../../src/mcp/instructions.ts';
import { ReferenceLists } from '../../../src/queries/reference.ts';
import { ConcurrencyLimit } from '../../../src/rate-limit/concurrency-limit.ts';
import { openLimitBackend } from '../../../src/rate-limit/limit-backend.ts';
import { budgetHeaders, Limits } from '../../../src/rate-limit/limits.ts';
import { Sanitizer } from '../../../src/sanitizer/sanitizer.ts';
import { closed, sendRefusal, toRefusal } from '../../../src/server/answer.ts';
import { clientInfoOf } from '../../../src/server/client-info.ts';
import { requestContext, requestContextOf } from '../../../src/server/request-context.ts';
import { headersFor } from '../../../src/server/standing-headers.ts';
import { RequestLog } from '../../../src/telemetry/request-log.ts';
import { answerOnce, jsonBody, makeApp } from './stateless.ts';

// The SDK's documented stateless way, a new server and transport for each request, over this service's own gate, dispatch, operations
// and database, so that only the protocol layer differs.

const environment = 'production';
const listener = { loopback: true, trusts: () => false };
const serverInfo = { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' };
const options = { capabilities: { tools: {} }, instructions: instructionsFor(environment) };

const config = readConfig(process.env);
const log = openLog(config.logLevel);
const database = await openDatabase(config);
const { db } = database;
const limitBackend = await openLimitBackend(config, database, log);
const { requestsPerMinute, publicUrl, timeZone } = config;
const services: Services = {
  db,
  reference: new ReferenceLists(db),
  sanitizer: new Sanitizer(),
  lists: new ConcurrencyLimit(2),
  bodies: new ConcurrencyLimit(2),
  requestsPerMinute,
  publicUrl,
};
const auth: AuthDeps = {
  db: database.admission,
  limits: new Limits(config, limitBackend),
  lastUse: new LastUse(db, log),
  maintenance: new MaintenanceSwitch(database.admission),
};
await compileValidators();

async function answer(request: Request, response: Response): Promise<void> {
  const time = requestTimeAt(new Date(), timeZone);
  const caller = await authenticateRequest(auth, clientInfoOf(request, environment, listener), time);
  const budget = await auth.limits.consumeRequests(caller.tenant, 1);
  for (const [name, value] of Object.entries(budgetHeaders(budget))) response.setHeader(name, value);
  const ctx = { ...services, ...time, caller, answered: () => closed(response) };
  const refusalOf = (error: unknown) => toRefusal(error, log, requestContextOf(response).requestId);
  const call: Parameters<typeof answerOnce>[1] = (tool, given) =>
    callTool({ ctx, refusalOf, simulation: undefined }, tool, given);
  await answerOnce([serverInfo, options], call, request, response);
}

const app = makeApp();
const clock = () => new Date();
app.use(requestContext({ log, requestLog: new RequestLog(db, log, clock), clock, headersOf: headersFor(listener) }));
app.use(jsonBody);
app.post('/mcp', (request, response) =>
  answer(request, response).catch((error: unknown) => {
    if (!response.headersSent) sendRefusal(response, toRefusal(error, log, requestContextOf(response).requestId));
  }),
);
app.listen(config.port, config.host);
