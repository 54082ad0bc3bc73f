import { insertSession } from '../../src/auth/page-sessions-sql.ts';
import type { Context } from '../../src/context.ts';
import type { Portal } from '../../src/domain/actor.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { filledError } from '../../src/domain/message.ts';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { requestProduction } from '../../src/operations/companies/people/request-production.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { createJob } from '../../src/operations/jobs/change-job-sql.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import type { Declaration } from '../../src/operations/kit/declare.ts';
import { checkInput, type Field, fieldsOf } from '../../src/operations/kit/fields.ts';
import { endMaintenance, startMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { addPlan } from '../../src/operations/plans/people/change-plan.ts';
import { addCategory, deactivateCategory } from '../../src/operations/reference/people/change-category.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { actionContext } from './fixtures.ts';
import { minimalJob } from './sample-jobs.ts';
import { addStored, storedChange, storedSample } from './stored-samples.ts';

export const companyId = 9_000_000_000_000n;

/** A value and the text that a person types for it. */
type Typed = readonly [value: unknown, text: string];
const texts = (...all: string[]): Typed[] => all.map((text) => [text, text]);
const long = 'x'.repeat(5000);
/** In the form of a credential. */
export const secret = `vaga_live_1_${'0a'.repeat(28)}`;

const right: Readonly<Record<Field['kind'], Typed>> = {
  line: ['Pro', 'Pro'],
  text: ['Porque sim.', 'Porque sim.'],
  email: ['ana@example.com', 'ana@example.com'],
  password: ['uma frase que é longa', 'uma frase que é longa'],
  number: [20, '20'],
  limit: [20, '20'],
  day: ['2099-01-01', '2099-01-01'],
  minute: ['2026-11-01T10:42', '2026-11-01T10:42'],
  choice: ['', ''],
  flag: [true, ''],
  id: [companyId, String(companyId)],
  ids: [[1], '1'],
  json: [{ title: 'Com salário' }, '{"title":"Com salário"}'],
  version: ['', ''],
};

const numbers: Typed[] = [Number.NaN, 1.5, -99, 99_999_999_999].map((value) => [value, String(value)]);

/** Values of which each field refuses those that break one of its rules. */
export const wrong: Readonly<Record<Field['kind'], readonly Typed[]>> = {
  line: texts('', ' ', long, 'a\nb', `a${'\u0300'.repeat(31)}`, `a ${secret}`),
  text: texts('', ' ', long, 'a\u0007b', `a ${secret}`),
  email: texts('', 'nobody', `${long}@example.com`, 'a\nb@example.com', `${secret}@example.com`),
  password: texts('', 'curta', long, secret),
  number: numbers,
  limit: numbers,
  day: texts('', 'soon', '2099-02-30', '9999-01-01'),
  minute: texts('', 'soon', '2099-02-30T10:42', '9999-01-01T10:42', '2026-01-01', '2026-01-01T24:00'),
  choice: texts('', 'neither'),
  flag: [],
  id: [
    ['', ''],
    ['x', 'x'],
    [0n, '0'],
    [10n ** 18n, String(10n ** 18n)],
  ],
  ids: [
    [[Number.NaN], 'x'],
    [[0], '0'],
    [Array(201).fill(1), Array(201).fill(1).join()],
    [[2 ** 31], String(2 ** 31)],
  ],
  json: [
    [[], '[]'],
    ['x', 'x'],
  ],
  version: texts(' ', long, 'a\nb', secret),
};

export const rightOf = ({ kind, values: [first = ''] }: Field): Typed =>
  kind === 'choice' ? [first, first] : right[kind];

/** The required input of the operation. */
export const inputOf = (operation: Declaration): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(operation.input)
      .filter(({ isRequired, name }) => isRequired || name === 'companyId')
      .map((field) => [field.name, rightOf(field)[0]]),
  );

/** The message for this value of a field, if it is refused. */
export function messageFor(operation: Declaration, name: string, value: unknown): string | undefined {
  try {
    checkInput(operation.input, { ...inputOf(operation), [name]: value });
    return undefined;
  } catch (error) {
    const fault = error instanceof ApiError ? error.faults.find(([field]) => field === name) : undefined;
    if (!fault) throw error;
    return filledError(fault);
  }
}

let made = 0;

interface Given {
  readonly ctx: () => Context;
  readonly companyId: bigint;
  /** The operation's first word, such as `job`. */
  readonly noun: string;
}

/** Adds a job of the company without a request. */
async function addJob({ ctx, companyId }: Given, environment: Environment = 'production') {
  const { db, now } = ctx();
  const limits = { accessType: 'subscription', limit: -1, period: null } as const;
  const { job } = await createJob(
    db,
    { companyId, environment },
    {
      ...{ key: `key-${++made}`, hashes: {}, checksDistricts: false, status: 'pending', actor: 'operator', now },
      entitlement: { ...limits, allowance: environment === 'sandbox' ? 'sandbox' : 'subscription' },
      fields: { ...minimalJob, title: `Vaga ${made}` },
    },
  );
  return { environment, jobId: BigInt(job?.id ?? 0) };
}

async function addAccount({ ctx, companyId, noun }: Given) {
  const { db, now } = ctx();
  const account = () => ({ email: `nova-${process.pid}-${++made}@example.com`, passwordHash: 'none', createdAt: now });
  if (noun !== 'admin') return db.user.create({ data: { ...account(), companyId, role: 'sub' } });
  // The last administrator cannot be removed.
  await db.administrator.create({ data: account() });
  return db.administrator.create({ data: account() });
}

async function logRequest({ ctx, companyId }: Given) {
  const requestId = `request-${process.pid}-${++made}`;
  const answer = { credentialId: 1n, protocol: 'rest', operation: 'getJob', status: 404, latencyMs: 3 } as const;
  const data = { companyId, environment: 'production', requestId, at: ctx().now, ...answer } as const;
  await ctx().db.loggedRequest.createMany({ data });
  return { requestId };
}

/** The subjects of operations, by the name of their id field. */
const subjects: Readonly<Record<string, (given: Given) => Promise<Record<string, unknown>>>> = {
  jobId: addJob,
  credentialId: async ({ ctx, companyId }) => {
    const kind = { environment: 'production', access: 'read', days: 30 } as const;
    return { credentialId: (await issueCredential(ctx(), { companyId, ...kind })).credentialId };
  },
  categoryId: async ({ ctx }) => {
    const { categoryId } = await addCategory(ctx(), { name: `Categoria ${process.pid} ${++made}` });
    return { categoryId: BigInt(categoryId) };
  },
  planId: async ({ ctx }) => {
    const { id } = await addPlan(ctx(), { name: `Plano ${process.pid} ${++made}`, limit: 30 });
    return { planId: BigInt(id) };
  },
  email: async (given) => ({ email: (await addAccount(given)).email }),
  requestId: logRequest,
  ...Object.fromEntries(
    storedResources.map(({ resource, word }) => [
      `${word}Id`,
      async ({ companyId }: Given) => ({ [`${word}Id`]: await addStored(resource, companyId, 'production') }),
    ]),
  ),
};

/** Input beyond the required fields that makes an operation change or find something. */
const chosen: Readonly<Record<string, object>> = {
  'company create': { plan: 'Pro', verified: true },
  'company set': { autoPublish: true },
  'company districts': { districts: [11, 13] },
  'plan add': { apiEligible: true },
  'plan change': { limit: 2, apiEligible: true },
  'user create': { password: 'uma frase que é longa' },
  'admin create': { password: 'uma frase que é longa' },
  'user set-password': { password: 'uma frase que é longa' },
  'admin set-password': { password: 'uma frase que é longa' },
  'category add': { parent: 3n },
  'category move': { parent: 3n },
  'job purge': { endedBefore: '2026-01-01' },
  'job update': { patch: { title: 'Com salário' } },
  'sandbox reset': { word: 'RESET' },
  'audit list': { actorKind: 'operator' },
  find: { text: 'Oficina Exemplo' },
  ...Object.fromEntries(
    storedResources.flatMap(({ resource, word }) => [
      [`${word} create`, { fields: storedSample(resource) }],
      [`${word} update`, { fields: storedChange(resource) }],
    ]),
  ),
};

/** A failed sign-in, from an address of its own: an address that fails often is no longer counted. */
const failSignIn = (portal: Portal, { ctx, input }: Given & { readonly input: Record<string, unknown> }) =>
  new SignInLimits(ctx().db).countFailure(
    { portal, email: String(input.email), address: `2001:db8:${(++made).toString(16)}::1` },
    [],
  );

const takeApproval = ({ ctx, companyId: id }: Given) =>
  ctx().db.company.update({ where: { id }, data: { productionApprovedAt: null } });

/** What must exist in addition, so that an operation has something to do. */
const prepared: Readonly<Record<string, (given: Given & { readonly input: Record<string, unknown> }) => unknown>> = {
  'company approve': takeApproval,
  'company request': takeApproval,
  'company refuse': async (given) => {
    await takeApproval(given);
    await requestProduction(given.ctx(), given);
  },
  'company erase': async (given) => {
    await addJob(given);
    await addAccount(given);
    await given.ctx().db.company.update({ where: { id: given.companyId }, data: { name: String(given.input.name) } });
  },
  'company reinstate': ({ ctx, companyId }) => suspendCompany(ctx(), { companyId }),
  'company end-grant': ({ ctx, companyId }) => grantComplimentary(ctx(), { companyId, limit: 3 }),
  'category activate': ({ ctx, input }) => deactivateCategory(ctx(), { categoryId: input.categoryId as bigint }),
  'category move': ({ ctx, input }) =>
    ctx().db.category.update({ where: { id: Number(input.categoryId) }, data: { parentId: 2 } }),
  'job resubmit': ({ ctx, companyId, input }) => {
    const job = { companyId, environment: 'production', jobId: input.jobId as bigint } as const;
    return denyJob(ctx(), { ...job, reason: 'Falta o salário.' });
  },
  'job purge': async ({ ctx, companyId }) => {
    const [{ jobId: id }] = [await addJob({ ctx, companyId, noun: 'job' })];
    await ctx().db.job.updateMany({ where: { id, companyId }, data: { status: 'inactive', updatedAt: new Date(0) } });
  },
  'job undo': async ({ ctx, companyId, input }) => {
    const job = { companyId, environment: 'production', jobId: input.jobId as bigint } as const;
    await approveJob(ctx(), job);
  },
  'user unlock': (given) => failSignIn('company', given),
  'admin unlock': (given) => failSignIn('administrator', given),
  'maintenance on': ({ ctx }) => endMaintenance(ctx(), {}),
  'maintenance off': ({ ctx }) => startMaintenance(ctx(), {}),
  'session end': async ({ ctx, companyId }) => {
    const { id: personId } = await addAccount({ ctx, companyId, noun: 'user' });
    // Of digits, which tests compare without their values.
    const idHash = new Uint8Array(Buffer.from(`${process.pid}${++made}`.padStart(64, '0'), 'hex'));
    const session = { portal: 'company', idHash, personId, data: {} } as const;
    await insertSession(ctx().db, session, ctx().now, 1);
  },
  'sandbox reset': async (given) => {
    await addJob(given, 'sandbox');
    for (const { resource } of storedResources) await addStored(resource, given.companyId, 'sandbox');
  },
};

/** A company for which the operation has something to do, and the input for it. */
export async function newWork(
  operation: Declaration,
  ctx = actionContext,
): Promise<{ companyId: bigint; input: Record<string, unknown> }> {
  const { command, records } = operation;
  const facts = { plan: 'Especial', verified: true, productionApproved: true };
  const { companyId } = await createCompany(ctx(), { name: 'Oficina Exemplo', ...facts });
  const given = { ctx, companyId, noun: command.replace(/ .*/, '') };
  const fields = fieldsOf(operation.input);
  const own: Record<string, unknown> = {
    companyId,
    environment: 'production',
    firstDay: ctx().today,
  };
  // An operation that only reads may list any of them.
  for (const [name, add] of Object.entries(subjects))
    if (!records || fields.some((field) => field.name === name)) Object.assign(own, await add(given));
  own.name = `Nova ${process.pid} ${++made}`;
  if (/ (create|invite)$/.test(command)) own.email = `nova-${process.pid}-${made}@example.com`;
  Object.assign(own, chosen[command]);
  const named = fields.filter(
    ({ name, isRequired }) =>
      isRequired || name in (chosen[command] ?? {}) || ['companyId', 'environment'].includes(name),
  );
  const input = Object.fromEntries(named.map((field) => [field.name, own[field.name] ?? rightOf(field)[0]]));
  await prepared[command]?.({ ...given, input });
  return { companyId, input };
}

/** An input as a person types it. */
export const textsOf = (input: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      ['patch', 'fields'].includes(name) ? JSON.stringify(value) : String(value),
    ]),
  );
