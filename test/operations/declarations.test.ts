import { expect } from 'chai';
import { CommanderError } from 'commander';
import { flagOf } from '../../src/cli/flags.ts';
import { makeProgram } from '../../src/cli/program.ts';
import type { Context } from '../../src/context.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { filled } from '../../src/domain/message.ts';
import { checkInput } from '../../src/operations/check-input.ts';
import { declarations } from '../../src/operations/declarations.ts';
import type { By, Operation } from '../../src/operations/declare.ts';
import { type Field, fieldsOf } from '../../src/operations/fields-of.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext } from '../helper/fixtures.ts';

const companyId = 9_000_000_000_000n;

/** A value and the text that a person types for it. */
type Typed = readonly [value: unknown, text: string];
const texts = (...all: string[]): Typed[] => all.map((text) => [text, text]);
const long = 'x'.repeat(5000);

const right: Readonly<Record<Field['kind'], Typed>> = {
  line: ['Pro', 'Pro'],
  email: ['ana@example.com', 'ana@example.com'],
  password: ['uma frase que é longa', 'uma frase que é longa'],
  number: [20, '20'],
  day: ['2099-01-01', '2099-01-01'],
  choice: ['', ''],
  flag: [true, ''],
  id: [companyId, String(companyId)],
  ids: [[1], '1'],
};

/** Of these, each field refuses those that break one of its rules. */
const wrong: Readonly<Record<Field['kind'], readonly Typed[]>> = {
  line: texts('', ' ', long, 'a\nb'),
  email: texts('', 'nobody', `${long}@example.com`, 'a\nb@example.com'),
  password: texts('', 'curta', long),
  number: [
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
    [[2 ** 31], String(2 ** 31)],
  ],
};

const rightOf = ({ kind, values: [first = ''] }: Field): Typed => (kind === 'choice' ? [first, first] : right[kind]);

const inputOf = (operation: Operation): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(operation.input)
      .filter(({ isRequired, name }) => isRequired || name === 'companyId')
      .map((field) => [field.name, rightOf(field)[0]]),
  );

/** Runs a command with these texts in place of the right ones, and returns its error. */
async function errorOf(operation: Operation, { name, kind }: Field, text: string): Promise<unknown> {
  const fields = fieldsOf(operation.input);
  const flags = fields.flatMap((field) => {
    if (field.kind === 'password' || (field.name !== name && !field.isRequired)) return [];
    return [`--${flagOf(operation.command, field)}`, field.name === name ? text : rightOf(field)[1]];
  });
  const host = {
    perform: async (work: (ctx: Context) => Promise<unknown>) => void (await work(actionContext())),
    describe: () => undefined,
    examine: async () => undefined,
    readPassword: async () => (kind === 'password' ? text : right.password[1]),
  };
  const silent = { writeOut: () => undefined, writeErr: () => undefined };
  return makeProgram(host, silent)
    .parseAsync([...operation.command.split(' '), ...flags], { from: 'user' })
    .catch((error: unknown) => error);
}

const actors: Readonly<Record<By, Actor>> = {
  operator: { kind: 'operator' },
  administrator: { kind: 'administrator', id: 7n },
  'main account': { kind: 'user', id: 8n, companyId, role: 'main' },
  person: { kind: 'user', id: 9n, companyId, role: 'sub' },
};

/** A context whose database must not be reached. */
const closed = (actor: Actor): Context => ({
  ...actionContext(actor),
  get db(): never {
    throw new Error('the operation ran');
  },
});

describe('everything that people can do', function () {
  this.timeout(60_000);

  it('has a command of its own, with a label for each field', () => {
    const names = declarations.map(({ command }) => command);
    expect(new Set(names).size).to.equal(names.length);
    for (const { command, title, input } of declarations) {
      expect(title, command).to.match(/^[A-Z].*[^.]$/);
      for (const { name, label } of fieldsOf(input)) expect(label, `${command} ${name}`).to.match(/^[A-Z]/);
    }
  });

  it('is recorded under an action, and every action of the audit trail belongs to a change', () => {
    const recorded = declarations.flatMap(({ records }) => records ?? []);
    expect([...recorded].sort()).to.deep.equal([...auditActions].sort());
  });

  for (const operation of declarations)
    it(`${operation.command}: the command refuses what breaks a rule of the input, with the same message`, async () => {
      for (const field of fieldsOf(operation.input))
        for (const [value, text] of wrong[field.kind]) {
          const message = messageFor(operation, field.name, value);
          if (message === undefined) continue;
          const error = await errorOf(operation, field, text);
          const about = `--${flagOf(operation.command, field)} ${text.slice(0, 30)}`;
          expect(error instanceof CommanderError || error instanceof ApiError, `${about}: ${error}`).to.equal(true);
          expect((error as Error).message, about).to.include(message);
        }
    });

  for (const operation of declarations)
    it(`${operation.command}: nobody else may, and nobody for another company`, async () => {
      const { by, command } = operation;
      for (const [who, actor] of Object.entries(actors) as [By, Actor][]) {
        const may = by.includes(who) || (who === 'main account' && by.includes('person'));
        const input = inputOf(operation);
        if (!may) await expectRefused('not_allowed', () => operation.answer(closed(actor), input));
        else if (actor.kind === 'user')
          for (const other of [
            { ...input, companyId: companyId + 1n },
            { ...input, companyId: undefined },
          ])
            await expectRefusedOwn(command, () => operation.answer(closed(actor), other));
      }
    });
});

/** Without a company the input may be refused first. */
async function expectRefusedOwn(command: string, act: () => Promise<unknown>): Promise<void> {
  const error: unknown = await act().catch((thrown: unknown) => thrown);
  expect(error, command).to.be.instanceOf(ApiError);
  expect((error as ApiError).code, command).to.be.oneOf(['not_allowed', 'invalid_input']);
}

function messageFor(operation: Operation, name: string, value: unknown): string | undefined {
  try {
    checkInput(operation.input, { ...inputOf(operation), [name]: value });
    return undefined;
  } catch (error) {
    const message = error instanceof ApiError ? error.fields?.[name] : undefined;
    if (!message) throw error;
    return filled(message);
  }
}
