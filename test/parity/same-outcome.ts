import type { Server } from 'node:http';
import { expect } from 'chai';
import type { OperationId } from '../../src/contract/types.ts';
import type { Access } from '../../src/domain/actor.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { errorExamples } from '../helper/contract-examples.ts';
import { type CompanyOptions, db, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { type Answer, type Call, callers, getJob, type ProtocolCaller } from '../helper/protocol-callers.ts';
import { inToolWords } from './tool-words.ts';

/** One company for one caller, and a second whose rows must not change. */
export interface Fixture {
  readonly acme: TestCompany;
  readonly stranger: TestCompany;
  readonly environment: Environment;
  /** Creates a caller for either company, with a write credential, over the protocol under test. */
  open(company?: TestCompany, environment?: Environment): Promise<ProtocolCaller>;
  /** The same over another protocol: the next one of REST, MCP and its modern era. */
  openNext(company?: TestCompany, environment?: Environment): Promise<ProtocolCaller>;
}

/** A call in a situation, and the outcome that REST and both eras of MCP must have. */
export interface Outcome {
  readonly title: string;
  readonly call: Call;
  readonly status: number;
  /** `details.reason` of a refusal, or the fields that a 422 names, sorted. */
  readonly because?: string | readonly string[];
  /** The name of the contract's example that equals this refusal. */
  readonly example?: string;
  /** Parts of the answer, by their path in `data` or in the `details` of a refusal. */
  readonly shows?: object;
  /** Headers over REST. */
  readonly headers?: object;
  /** Whether a success writes nothing. A refusal never writes. */
  readonly changesNothing?: boolean;
  /** Whether the refusal comes before an operation runs: it is then an HTTP status over MCP too. */
  readonly atGate?: boolean;
  readonly company?: CompanyOptions;
  readonly environment?: Environment;
  readonly access?: Access;
  /** Creates the situation. Its result overrides parts of the call. */
  readonly given?: (fixture: Fixture) => Promise<Partial<Call>>;
  /** A secret to use in place of the company's working credential. */
  readonly secret?: (fixture: Fixture) => Promise<string | undefined>;
  readonly at?: (fixture: Fixture) => Promise<Server>;
}

/** Defines one `it` per outcome, with fresh companies for each caller. Compares everything that can be observed afterwards. */
export function describeOutcomes(title: string, outcomes: readonly Outcome[]): void {
  describe(title, () => {
    for (const outcome of outcomes) it(outcome.title, () => sameOutcome(outcome));
  });
}

async function sameOutcome(outcome: Outcome): Promise<void> {
  const { status, because, example, shows, headers = {} } = outcome;
  const [rest, ...others] = await Promise.all([play(outcome, 0), play(outcome, 1), play(outcome, 2)]);
  const { body } = rest.answer as { body: { data?: object; error?: { details: object } } };
  expect(rest.answer.status, JSON.stringify(body)).to.equal(status);
  if (because !== undefined) expect(reasonOf(rest.answer)).to.deep.equal(because);
  if (example !== undefined) expect(comparable(body)).to.deep.equal(comparable(examples.get(example)));
  if (shows) expect(body.data ?? body.error?.details).to.deep.nested.include(shows);
  expect(rest.answer.headers).to.include(headers);
  for (const mcp of others) {
    expect(mcp.answer.httpStatus, JSON.stringify(mcp.seen.body)).to.equal(outcome.atGate ? status : 200);
    expect(mcp.seen).to.deep.equal({ ...rest.seen, body: inToolWords(rest.seen.body) });
  }
}

const examples = new Map(errorExamples());
/** Only numbers and days may vary between answers. */
const varying = ['retry_after_seconds', 'limit', 'used', 'period_end', 'current_etag', 'job_id'];
export const comparable = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null, (key, value) => (varying.includes(key) ? typeof value : value)));

async function play(outcome: Outcome, protocol: number) {
  const { environment = 'sandbox', access = 'write' } = outcome;
  const opener = (number: number) => callers[number % callers.length] as (typeof callers)[number];
  const opening =
    (number: number): Fixture['open'] =>
    async (company = fixture.acme, other = environment) =>
      opener(number)(server(), other, await company.secret(other, 'write'));
  const fixture: Fixture = {
    acme: await newCompany(outcome.company),
    stranger: await newCompany(),
    environment,
    open: opening(protocol),
    openNext: opening(protocol + 1),
  };
  const call = { ...outcome.call, ...(await outcome.given?.(fixture)) };
  const secret = outcome.secret ? await outcome.secret(fixture) : await fixture.acme.secret(environment, access);
  const at = outcome.at ? await outcome.at(fixture) : server();
  const allRows = async () => [await rowsOf(fixture.acme), await rowsOf(fixture.stranger)];
  const before = await allRows();
  const answer = await run(opener(protocol)(at, environment, secret), call);
  const rows = await allRows();
  if (outcome.changesNothing || answer.status >= 400) expect(rows).to.deep.equal(before);
  const seen = { ...seenOf(answer, outcome.atGate === true), rows };
  return { answer, seen: plain(call.operationId, seen) };
}

/**
 * Makes a call. An answered job must equal a later read, and a refusal must name the ETag of that read. REST's 204 has no body, so a read
 * takes the place of the job that tools show.
 */
async function run(caller: ProtocolCaller, call: Call): Promise<Answer> {
  const answer = await caller.run(call);
  const { body, etag } = answer as {
    body: { data?: { id: number }; error?: { details: object } } | null;
    etag: unknown;
  };
  if (answer.status === 412) {
    expect(body?.error?.details).to.include({ current_etag: (await caller.run(getJob(call.id))).etag });
    return answer;
  }
  if (answer.status > 204 || !call.operationId.endsWith('Job')) return answer;
  const read = await caller.run(getJob(body?.data?.id ?? call.id));
  const isShown = answer.status !== 204 || caller.name !== 'REST';
  expect(body).to.deep.equal(isShown ? read.body : null);
  if (answer.status !== 204) expect(etag).to.equal(read.etag);
  return { ...answer, body: read.body };
}

/** Retry-After and WWW-Authenticate belong to an HTTP status; a tool result has them only in its details. Only a GET may be cached. */
function seenOf({ status, body, etag, headers }: Answer, atGate: boolean) {
  const isKept = headers['cache-control'] === 'private, no-cache';
  const own = isKept ? { ...headers, 'cache-control': 'no-store' } : headers;
  const ofStatus = { 'retry-after': undefined, 'www-authenticate': undefined };
  return { status, body, etag, headers: atGate ? own : { ...own, ...ofStatus } };
}

/** The reason of a refusal, or for 422 the sorted names of the fields. */
export function reasonOf({ body }: Answer): unknown {
  const { status, details } = (body as { error: { status: number; details: { reason: string } } }).error;
  return status === 422 ? Object.keys(details).sort() : details.reason;
}

/** All data of a company, which a refused call must leave unchanged. */
export async function rowsOf({ id: companyId }: TestCompany) {
  const events = { jobId: true, kind: true, status: true, isEdit: true };
  return {
    jobs: await db().job.findMany({ where: { companyId }, orderBy: { id: 'asc' } }),
    keys: await db().idempotencyKey.findMany({
      where: { companyId },
      orderBy: [{ environment: 'asc' }, { key: 'asc' }],
    }),
    usage: await db().postingUsage.findMany({ where: { companyId }, orderBy: { allowance: 'asc' } }),
    events: await db().jobEvent.findMany({ where: { companyId }, orderBy: { id: 'asc' }, select: events }),
  };
}

const referenceData: readonly OperationId[] = ['listCategories', 'listRegions', 'listOptions'];

const moments = new Set(['created_at', 'updated_at', 'createdAt', 'updatedAt']);
const companies = new Set(['company_id', 'companyId']);
const etags = new Set(['etag', 'current_etag']);
const ids = new Set(['id', 'jobId', 'job_id']);

/**
 * A value without the parts that must differ: job ids become their order, companies and times only their presence, seconds to wait a range.
 */
function plain(operationId: OperationId, value: object): Record<string, unknown> {
  const names = new Map<string, string>();
  const name = (id: unknown): string => {
    const known = names.get(String(id)) ?? `job ${names.size + 1}`;
    names.set(String(id), known);
    return known;
  };
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (moments.has(key)) return Number.isNaN(Date.parse(String(inner))) ? inner : 'a moment';
    if (companies.has(key)) return 'a company';
    if (etags.has(key)) return /^"\d+\/.+\/.*"$/.test(String(inner)) ? 'an ETag' : inner;
    if (ids.has(key) && !referenceData.includes(operationId)) return name(inner);
    if (key === 'retry-after' || key === 'retry_after_seconds') return inWindow(inner);
    return typeof inner === 'bigint' ? String(inner) : inner;
  });
  return JSON.parse(text);
}

const inWindow = (seconds: unknown): unknown =>
  Number(seconds) >= 1 && Number(seconds) <= 60 ? 'within a minute' : seconds;
