import { ApiError } from '../../src/domain/errors.ts';
import { filled } from '../../src/domain/message.ts';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import type { Declaration } from '../../src/operations/declare.ts';
import { checkInput, type Field, fieldsOf } from '../../src/operations/fields.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { startMaintenance } from '../../src/operations/maintenance/set-maintenance.ts';
import { addCategory, deactivateCategory } from '../../src/operations/reference/change-category.ts';
import { actionContext, db, newJob, type TestCompany } from './fixtures.ts';
import { newAdministrator, newUser } from './page-client.ts';

export const companyId = 9_000_000_000_000n;

/** A value and the text that a person types for it. */
type Typed = readonly [value: unknown, text: string];
const texts = (...all: string[]): Typed[] => all.map((text) => [text, text]);
const long = 'x'.repeat(5000);

const right: Readonly<Record<Field['kind'], Typed>> = {
  line: ['Pro', 'Pro'],
  text: ['Porque sim.', 'Porque sim.'],
  email: ['ana@example.com', 'ana@example.com'],
  password: ['uma frase que é longa', 'uma frase que é longa'],
  number: [20, '20'],
  limit: [20, '20'],
  day: ['2099-01-01', '2099-01-01'],
  choice: ['', ''],
  flag: [true, ''],
  id: [companyId, String(companyId)],
  ids: [[1], '1'],
};

/** Of these, each field refuses those that break one of its rules. */
export const wrong: Readonly<Record<Field['kind'], readonly Typed[]>> = {
  line: texts('', ' ', long, 'a\nb'),
  text: texts('', ' ', long, 'a\nb'),
  email: texts('', 'nobody', `${long}@example.com`, 'a\nb@example.com'),
  password: texts('', 'curta', long),
  number: [
    [Number.NaN, 'many'],
    [1.5, '1.5'],
    [-99, '-99'],
    [99_999_999_999, '99999999999'],
  ],
  limit: [
    [Number.NaN, 'many'],
    [1.5, '1.5'],
    [-99, '-99'],
    [99_999_999_999, '99999999999'],
  ],
  day: texts('', 'soon', '2099-02-30', '9999-01-01'),
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
};

export const rightOf = ({ kind, values: [first = ''] }: Field): Typed =>
  kind === 'choice' ? [first, first] : right[kind];

/** What the operation needs, as it takes it. */
export const inputOf = (operation: Declaration): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(operation.input)
      .filter(({ isRequired, name }) => isRequired || name === 'companyId')
      .map((field) => [field.name, rightOf(field)[0]]),
  );

/** What a field is refused with for this value, if it is. */
export function messageFor(operation: Declaration, name: string, value: unknown): string | undefined {
  try {
    checkInput(operation.input, { ...inputOf(operation), [name]: value });
    return undefined;
  } catch (error) {
    const message = error instanceof ApiError ? error.fields?.[name] : undefined;
    if (!message) throw error;
    return filled(message);
  }
}

let made = 0;

/** A company with one of everything that operations are about, by the names of their fields. */
async function newSubjects(noun: string) {
  const { acme, ref } = await newJob('production', { title: `Vaga ${++made}` });
  const { companyId } = ref;
  const { credentialId } = await acme.issue('production', 'read');
  const { categoryId } = await addCategory(actionContext(), { name: `Categoria ${process.pid} ${made}` });
  const requestId = `request-${process.pid}-${made}`;
  const logged = { companyId, environment: 'production', requestId, credentialId, at: actionContext().now } as const;
  const answer = { protocol: 'rest', operation: 'getJob', status: 404, latencyMs: 3 } as const;
  await db().loggedRequest.create({ data: { ...logged, ...answer } });
  const { id: auditId } = await db().auditEntry.findFirstOrThrow({ where: { companyId } });
  // The last administrator cannot be removed.
  await newAdministrator();
  const email = await (noun === 'admin' ? newAdministrator() : newUser(acme, 'sub'));
  return { acme, ...ref, credentialId, categoryId: BigInt(categoryId), requestId, auditId, email };
}

type Subjects = Awaited<ReturnType<typeof newSubjects>>;

/** What makes an operation change something, or finds something, besides the fields that it needs. */
const chosen: Readonly<Record<string, object>> = {
  'company create': { plan: 'Pro', verified: true },
  'company set': { autoPublish: true },
  'company districts': { districts: [11, 13] },
  'plan set': { limit: 2, apiEligible: true },
  'plan show': { name: 'Pro' },
  'user create': { password: 'uma frase que é longa' },
  'admin create': { password: 'uma frase que é longa' },
  'user set-password': { password: 'uma frase que é longa' },
  'admin set-password': { password: 'uma frase que é longa' },
  'category add': { parent: 3n },
  'audit list': { actorKind: 'operator' },
};

const prepared: Readonly<Record<string, (subjects: Subjects) => Promise<unknown>>> = {
  'company approve': ({ companyId }) =>
    db().company.update({ where: { id: companyId }, data: { productionApprovedAt: null } }),
  'company erase': ({ companyId }) =>
    db().company.update({ where: { id: companyId }, data: { name: `Nova ${process.pid} ${made}` } }),
  'company reinstate': ({ companyId }) => suspendCompany(actionContext(), { companyId }),
  'company end-grant': ({ companyId }) => grantComplimentary(actionContext(), { companyId, limit: 3 }),
  'category activate': ({ categoryId }) => deactivateCategory(actionContext(), { categoryId }),
  'job resubmit': ({ companyId, environment, jobId }) =>
    denyJob(actionContext(), { companyId, environment, jobId, reason: 'Falta o salário.' }),
  'maintenance off': () => startMaintenance(actionContext(), {}),
};

/** A company for which the operation has something to do, and the input with which it does it. */
export async function newWork(operation: Declaration): Promise<{ acme: TestCompany; input: Record<string, unknown> }> {
  const { command } = operation;
  const { acme, ...subjects } = await newSubjects(command.replace(/ .*/, ''));
  await prepared[command]?.({ acme, ...subjects });
  const { today: firstDay } = actionContext();
  const own: Record<string, unknown> = {
    ...subjects,
    firstDay,
    name: `Nova ${process.pid} ${made}`,
    ...chosen[command],
  };
  if (command.endsWith(' create')) own.email = `nova-${process.pid}-${made}@example.com`;
  const fields = fieldsOf(operation.input).filter(
    ({ name, isRequired }) =>
      isRequired || name in (chosen[command] ?? {}) || ['companyId', 'environment'].includes(name),
  );
  return { acme, input: Object.fromEntries(fields.map((field) => [field.name, own[field.name] ?? rightOf(field)[0]])) };
}

/** An input as a person types it. */
export const textsOf = (input: object): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
