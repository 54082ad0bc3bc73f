import type { Request, Response } from 'express';
import { type AuthDeps, authenticateRequest } from '../../../src/auth/authenticate-request.ts';
import { LastUsed } from '../../../src/auth/last-used.ts';
import { MaintenanceSwitch } from '../../../src/auth/maintenance-switch.ts';
import { readConfig } from '../../../src/config.ts';
import type { Services } from '../../../src/context.ts';
import { compileValidators } from '../../../src/contract/validate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { dispatch } from '../../../src/dispatch.ts';
import { ConcurrencyLimit } from '../../../src/domain/concurrency-limit.ts';
import { requestTimeAt } from '../../../src/domain/request-time.ts';
import { openLog } from '../../../src/log.ts';
import { plainRequestOf } from '../../../src/mcp/call-tool.ts';
import { instructionsFor } from '../../../src/mcp/instructions.ts';
import { inToolWords } from '../../../src/mcp/tool-words.ts';
import { ReferenceLists } from '../../../src/queries/reference.ts';
import { AddressLimit } from '../../../src/rate-limit/address-limit.ts';
import { openLimitBackend } from '../../../src/rate-limit/limit-backend.ts';
import { budgetHeaders, RequestLimit } from '../../../src/rate-limit/request-limit.ts';
import { Sanitizer } from '../../../src/sanitizer/sanitizer.ts';
import { send, toRefusal } from '../../../src/server/answer.ts';
import { clientInfoOf } from '../../../src/server/client-info.ts';
import { errorEnvelope } from '../../../src/server/error-body.ts';
import { logRequests } from '../../../src/server/log-requests.ts';
import { requestContextOf, startRequestContext } from '../../../src/server/request-context.ts';
import { RequestLog } from '../../../src/telemetry/request-log.ts';
import { answerOnce, jsonBody, makeApp } from './stateless.ts';

// The SDK's documented stateless way, a new server and transport for each request, over this service's own gate, dispatch, operations
// and database, so that only the protocol layer differs.

const environment = 'production';
const listener = { isLoopback: true, trusts: () => false };
const serverInfo = { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' };
const options = { capabilities: { tools: {} }, instructions: instructionsFor(environment) };

const config = readConfig(process.env);
const log = openLog(config.logLevel);
const database = await openDatabase(config);
const { db } = database;
const limitBackend = await openLimitBackend(config, database, log);
const { requestsPerMinute, publicUrl, timeZone } = config;
const services: Services = {
  database,
  reference: new ReferenceLists(db),
  sanitizer: new Sanitizer(),
  lists: new ConcurrencyLimit({ maxPerKey: 2 }),
  bodies: new ConcurrencyLimit({ maxPerKey: 2 }),
  requestsPerMinute,
  publicUrl,
};
const auth: AuthDeps = {
  database,
  addressLimit: new AddressLimit(config.addressRequestsPerMinute),
  lastUsed: new LastUsed(database, log),
  maintenance: new MaintenanceSwitch(database.admission),
};
const requestLimit = new RequestLimit(config, limitBackend);
await compileValidators();

const resultOf = (structuredContent: Record<string, unknown>, isError: boolean) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent,
  isError,
});

async function answer(request: Request, response: Response): Promise<void> {
  const time = requestTimeAt(new Date(), timeZone);
  const caller = await authenticateRequest(auth, clientInfoOf(request, environment, listener), time);
  const budget = await requestLimit.consume(caller.tenant, 1);
  for (const [name, value] of Object.entries(budgetHeaders(budget))) response.setHeader(name, value);
  const ctx = { ...services, ...time, db, actor: caller, lifetime: requestContextOf(response).lifetime };
  const refusalOf = (error: unknown) => toRefusal(error, log, requestContextOf(response).requestId);
  const call: Parameters<typeof answerOnce>[1] = async (tool, given) => {
    try {
      const { status, body, pieces } = await dispatch(ctx, plainRequestOf(tool, given, undefined));
      const response = pieces ? JSON.parse([...pieces()].join('')) : (body ?? null);
      return resultOf({ environment, http_status: status, response }, false);
    } catch (error) {
      const { status, message, details } = inToolWords(tool, refusalOf(error));
      return resultOf({ environment, http_status: status, error: { status, message, details } }, true);
    }
  };
  await answerOnce([serverInfo, options], call, request, response);
}

const app = makeApp();
const clock = () => new Date();
const logRequest = logRequests({ log, requestLog: new RequestLog(database, log, clock), clock });
app.use((request, response, next) => {
  const context = startRequestContext(request, response, false);
  context.lifetime.onEnd((outcome) => logRequest(request, context, outcome));
  response.on('close', () => context.lifetime.end(response.statusCode));
  next();
});
app.use(jsonBody);
app.post('/mcp', (request, response) =>
  answer(request, response).catch((error: unknown) => {
    const refused = toRefusal(error, log, requestContextOf(response).requestId);
    if (!response.headersSent) send(response, refused.status, refused.headers, errorEnvelope(refused));
  }),
);
app.listen(config.port, config.host);
