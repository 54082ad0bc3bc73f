import type { Server } from 'node:http';
import type { Db } from '../../src/database/open.ts';
import { prismaOver, serverPool } from '../../src/database/pool.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { db, startApp } from '../helper/fixtures.ts';
import { createJob, listJobs, restCaller, updateJob } from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { aJob, everyCall, withBody } from './calls.ts';
import { describeOutcomes, type Fixture, type Outcome } from './same-outcome.ts';

/** Starts an app at the first outcome that needs it, one for all of them. */
function lazily(start: () => Promise<Server>): () => Promise<Server> {
  let started: Promise<Server> | undefined;
  return () => {
    started ??= start();
    return started;
  };
}

/** An app that lets one request of each company through, and has let that one pass. */
const oneAMinute = lazily(() => startApp({ REQUESTS_PER_MINUTE: '1' }));
async function spent({ acme, environment }: Fixture): Promise<Server> {
  const at = await oneAMinute();
  await restCaller(at, environment, await acme.secret(environment, 'read')).run(listJobs());
  return at;
}

const limited = { status: 429, because: 'company', atGate: true, at: spent } as const;
const wrongType = { headers: { 'Content-Type': 'text/plain' } };
const large = { body: { ...minimalJob, requirements: 'x'.repeat(131_072) } };

describeOutcomes('429 over both protocols', [
  ...(['sandbox', 'production'] as const).flatMap((environment) =>
    everyCall.map((call): Outcome => ({ ...limited, title: `${call.operationId}, ${environment}`, environment, call })),
  ),
  { ...limited, title: 'before 403 scope', call: createJob(minimalJob, 'k'), access: 'read' },
  { ...limited, title: 'before 422', call: createJob([], 'k') },
  { ...limited, title: 'before X-Simulate', call: { ...listJobs(), headers: { 'X-Simulate': '503' } } },
  ...withBody.flatMap((call): Outcome[] => [
    { ...limited, title: `${call.operationId}, before 415`, call: { ...call, ...wrongType } },
    { ...limited, title: `${call.operationId}, before 413`, call: { ...call, ...large } },
  ]),
]);

const timeouts = { connectTimeoutMs: 1000, statementTimeoutMs: 1000, idleInTransactionTimeoutMs: 1000 };
const nobody = (): Db =>
  prismaOver(serverPool('postgresql://vaga@127.0.0.1:1/vaga', { poolSize: 1, ...timeouts }), { namedStatements: true });

/** The world's database, which goes away as soon as a request has been let in. */
function goneAfterTheGate(): Db {
  const gone = nobody();
  const extended = db().$extends({
    query: {
      $allOperations: ({ args, query, model }) => {
        return model === 'Credential' ? query(args) : gone.$queryRaw`SELECT 1`;
      },
    },
  });
  const rows: Db['rows'] = (statement) => (/\bcredentials\b/.test(statement.text) ? db() : gone).rows(statement);
  // Prisma's type of an extended client is another one, though it does all that the client does.
  return Object.assign(extended as unknown as Db, { rows });
}

const unreachable = lazily(() => startApp({}, { db: nobody() }));
const lost = lazily(() => startApp({}, { db: goneAfterTheGate() }));
const draining = lazily(async () => {
  const sanitizer = new Sanitizer();
  await sanitizer.close();
  return startApp({}, { sanitizer });
});

const away = { status: 503, because: 'database' } as const;
const stopping = { status: 503, because: 'draining', at: draining } as const;
const markup = { body: '<p>Olá</p>' };

describeOutcomes('503 over both protocols', [
  ...everyCall.flatMap((call): Outcome[] => [
    { ...away, title: `${call.operationId}, no database`, call, atGate: true, at: unreachable },
    // The values of listOptions are those of the contract: it asks no database.
    ...(call.operationId === 'listOptions'
      ? []
      : [{ ...away, title: `${call.operationId}, database lost under way`, call, at: lost }]),
  ]),
  { ...stopping, title: 'createJob, no sanitizer', call: createJob({ ...minimalJob, ...markup }, 'k') },
  { ...stopping, title: 'updateJob, no sanitizer', call: updateJob(0, markup), given: aJob() },
]);
