import type { Server } from 'node:http';
import { expect } from 'chai';
import type { OperationId } from '../../src/contract/types.ts';
import type { Access } from '../../src/domain/actor.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { memoryStore } from '../../src/rate-limit/limit-store.ts';
import { errorExamples } from '../helper/contract-examples.ts';
import { admission, type CompanyOptions, newCompany, startApp, type TestCompany } from '../helper/fixtures.ts';
import { type Answer, type Call, callers, getJob, type ProtocolCaller } from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { inToolWords } from './tool-words.ts';

/** One company for one caller, and another one, made when it is first needed, whose rows must not change. */
export interface Fixture {
  readonly acme: TestCompany;
  readonly stranger: () => Promise<TestCompany>;
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
  /** Parts of the call to override, or a function that also creates the situation. */
  readonly given?: Partial<Call> | ((fixture: Fixture) => Promise<Partial<Call>>);
  /** A secret to use in place of the company's working credential. */
  readonly secret?: (fixture: Fixture) => Promise<string | undefined>;
  readonly at?: (fixture: Fixture) => Promise<Server>;
}

/** Defines one `it` per outcome, with a company for each caller. Compares everything that can be observed afterwards. */
export function describeOutcomes(title: string, outcomes: readonly Outcome[]): void {
  describe(title, () => {
    let bystander: TestCompany;
    let itsRows: object;
    before(async () => {
      bystander = await newCompany();
      expect((await (await bystander.writer()).create(minimalJob, 'k')).status).to.equal(201);
      itsRows = await rowsOf(bystander);
    });
    for (const outcome of outcomes) it(outcome.title, () => sameOutcome(outcome));
    it('no outcome changes the rows of another company', async () => {
      expect(await rowsOf(bystander)).to.deep.equal(itsRows);
    });
  });
}

let started: Promise<Server> | undefined;
/** Compared answers say how many requests remain, so no window may end between them, however slow the machine is. */
function server(): Promise<Server> {
  started ??= startApp({}, { limitStore: memoryStore(3600) });
  return started;
}

const kept = new Map<string, Promise<TestCompany>>();

/** A new company, or one whose rows no outcome changes, shared by all of these. */
function companyFor({ company, given, status, changesNothing }: Outcome, protocol: number): Promise<TestCompany> {
  if (typeof given === 'function' || (status < 400 && !changesNothing)) return newCompany(company);
  const kind = JSON.stringify([company, protocol]);
  const own = kept.get(kind) ?? newCompany(company);
  kept.set(kind, own);
  return own;
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
      opener(number)(await server(), other, await company.secret(other, 'write'));
  let stranger: TestCompany | undefined;
  const fixture: Fixture = {
    acme: await companyFor(outcome, protocol),
    stranger: async () => {
      stranger ??= await newCompany();
      return stranger;
    },
    environment,
    open: opening(protocol),
    openNext: opening(protocol + 1),
  };
  const { given } = outcome;
  const call = { ...outcome.call, ...(typeof given === 'function' ? await given(fixture) : given) };
  const secret = outcome.secret ? await outcome.secret(fixture) : await fixture.acme.secret(environment, access);
  const at = outcome.at ? await outcome.at(fixture) : await server();
  const allRows = () => Promise.all([fixture.acme, stranger].map((one) => one && rowsOf(one)));
  const before = await allRows();
  const answer = await run(opener(protocol)(at, environment, secret), call);
  const rows = await allRows();
  if (outcome.changesNothing || answer.status >= 400) expect(rows).to.deep.equal(before);
  const seen = { ...seenOf(answer, outcome.atGate === true), rows };
  return { answer, seen: plain(call.operationId, seen) };
}

/**
 * Makes a call. An answered job must equal a later read, and a 412 must have the ETag and key of that read. REST's 204 has no body, so a read
 * takes the place of the job that tools show.
 */
async function run(caller: ProtocolCaller, call: Call): Promise<Answer> {
  const answer = await caller.run(call);
  const { body, etag, idempotency_key } = answer as {
    body: { data?: { id: number }; error?: { details: object } } | null;
    etag: unknown;
    idempotency_key: unknown;
  };
  if (answer.status === 412) {
    const read = await caller.run(getJob(call.id));
    expect(body?.error?.details).to.include({ current_etag: read.etag });
    // A refusal of a tool has no headers.
    if (caller.name === 'REST') expect(idempotency_key).to.equal(read.idempotency_key);
    return { ...answer, idempotency_key: undefined };
  }
  if (answer.status > 204 || !call.operationId.endsWith('Job')) return answer;
  const read = await caller.run(getJob(body?.data?.id ?? call.id));
  const isShown = answer.status !== 204 || caller.name !== 'REST';
  expect(body).to.deep.equal(isShown ? read.body : null);
  expect({ etag, idempotency_key }).to.deep.equal({ etag: read.etag, idempotency_key: read.idempotency_key });
  return { ...answer, body: read.body };
}

/**
 * Retry-After and WWW-Authenticate belong to an HTTP status; a tool result has them only in its details. Only a GET may be cached, and
 * only an ETag be changed by a proxy.
 */
function seenOf({ status, body, etag, idempotency_key, headers }: Answer, atGate: boolean) {
  const isOfOne = String(headers['cache-control']).endsWith(', no-transform');
  const own = isOfOne ? { ...headers, 'cache-control': 'no-store' } : headers;
  const ofStatus = { 'retry-after': undefined, 'www-authenticate': undefined };
  return { status, body, etag, idempotency_key, headers: atGate ? own : { ...own, ...ofStatus } };
}

/** The reason of a refusal, or for 422 the sorted names of the fields. */
export function reasonOf({ body }: Answer): unknown {
  const { status, details } = (body as { error: { status: number; details: { reason: string } } }).error;
  return status === 422 ? Object.keys(details).sort() : details.reason;
}

/** All data of a company, which a refused call must leave unchanged. */
export async function rowsOf({ id }: TestCompany) {
  const rows = (columns: string, table: string, order: string) =>
    admission().rows({ text: `SELECT ${columns} FROM ${table} WHERE company_id = $1 ORDER BY ${order}`, values: [id] });
  return {
    jobs: await rows('*', 'jobs', 'id'),
    keys: await rows('*', 'idempotency_keys', 'environment, key'),
    usage: await rows('*', 'posting_usage', 'allowance'),
    events: await rows('job_id, kind, status, is_edit', 'job_events', 'id'),
  };
}

const referenceData: readonly OperationId[] = ['listCategories', 'listRegions', 'listOptions'];

const moments = new Set(['created_at', 'updated_at']);
const etags = new Set(['etag', 'current_etag']);
const ids = new Set(['id', 'job_id']);

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
    if (key === 'company_id') return 'a company';
    if (etags.has(key)) return /^"\d+\/.+\/.*"$/.test(String(inner)) ? 'an ETag' : inner;
    if (ids.has(key) && !referenceData.includes(operationId)) return name(inner);
    if (key === 'retry-after' || key === 'retry_after_seconds') return inWindow(inner);
    return typeof inner === 'bigint' ? String(inner) : inner;
  });
  return JSON.parse(text);
}

const inWindow = (seconds: unknown): unknown =>
  Number(seconds) >= 1 && Number(seconds) <= 60 ? 'within a minute' : seconds;
