import type { Request, Response } from 'express';
import { readConfig } from '../../../src/config.ts';
import type { Services } from '../../../src/context.ts';
import { compileValidators } from '../../../src/contract/validate.ts';
import { momentAt } from '../../../src/domain/moment.ts';
import { type Gate, identify } from '../../../src/gate/admit.ts';
import { ConcurrencyLimit } from '../../../src/gate/concurrency-limit.ts';
import { LastUse } from '../../../src/gate/last-use.ts';
import { openLimitBackend } from '../../../src/gate/limit-backend.ts';
import { budgetHeaders, Limits } from '../../../src/gate/limits.ts';
import { MaintenanceSwitch } from '../../../src/gate/maintenance-switch.ts';
import { RequestLog } from '../../../src/gate/request-log.ts';
import { Sanitizer } from '../../../src/html/sanitizer.ts';
import { closed, sendRefusal, toRefusal } from '../../../src/http/answer.ts';
import { arrivalOf } from '../../../src/http/arrival.ts';
import { stamp, traceOf } from '../../../src/http/stamp.ts';
import { headersFor } from '../../../src/http/standing-headers.ts';
import { openLog } from '../../../src/log.ts';
import { callTool } from '../../../src/mcp/call-tool.ts';
import { instructionsFor } from '../../../src/mcp/instructions.ts';
import { openStore } from '../../../src/store/open.ts';
import { ReferenceLists } from '../../../src/store/reference-lists.ts';
import { answerOnce, jsonBody, makeApp } from './stateless.ts';

// The SDK's documented stateless way, a new server and transport for each request, over this service's own gate, dispatch, operations
// and store, so that only the protocol layer differs.

const environment = 'production';
const listener = { loopback: true, trusts: () => false };
const serverInfo = { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' };
const options = { capabilities: { tools: {} }, instructions: instructionsFor(environment) };

const config = readConfig(process.env);
const log = openLog(config.logLevel);
const store = await openStore(config);
const { db } = store;
const limitBackend = await openLimitBackend(config, store, log);
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
const gate: Gate = {
  db: store.admission,
  limits: new Limits(config, limitBackend),
  lastUse: new LastUse(db, log),
  maintenance: new MaintenanceSwitch(store.admission),
};
await compileValidators();

async function answer(request: Request, response: Response): Promise<void> {
  const moment = momentAt(new Date(), timeZone);
  const caller = await identify(gate, arrivalOf(request, environment, listener), moment);
  const budget = await gate.limits.consumeRequests(caller.tenant, 1);
  for (const [name, value] of Object.entries(budgetHeaders(budget))) response.setHeader(name, value);
  const ctx = { ...services, ...moment, caller, answered: () => closed(response) };
  const refusalOf = (error: unknown) => toRefusal(error, log, traceOf(response).requestId);
  const call: Parameters<typeof answerOnce>[1] = (tool, given) =>
    callTool({ ctx, refusalOf, simulation: undefined }, tool, given);
  await answerOnce([serverInfo, options], call, request, response);
}

const app = makeApp();
const clock = () => new Date();
app.use(stamp({ log, requestLog: new RequestLog(db, log, clock), clock, headersOf: headersFor(listener) }));
app.use(jsonBody);
app.post('/mcp', (request, response) =>
  answer(request, response).catch((error: unknown) => {
    if (!response.headersSent) sendRefusal(response, toRefusal(error, log, traceOf(response).requestId));
  }),
);
app.listen(config.port, config.host);
