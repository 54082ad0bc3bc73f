import { expect } from 'chai';
import { CommanderError } from 'commander';
import { flagOf } from '../../src/cli/flags.ts';
import { makeProgram } from '../../src/cli/program.ts';
import type { Context } from '../../src/context.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { declarations } from '../../src/operations/declarations.ts';
import type { By, Operation } from '../../src/operations/declare.ts';
import { type Field, fieldsOf } from '../../src/operations/fields-of.ts';
import { companyId, inputOf, messageFor, right, rightOf, wrong } from '../helper/declared-inputs.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext } from '../helper/fixtures.ts';

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

describe('everything that people can do', () => {
  it('has a command of its own, with a label for each field', () => {
    const names = declarations.map(({ command }) => command);
    expect(new Set(names).size).to.equal(names.length);
    for (const { command, title, input } of declarations) {
      expect(title, command).to.match(/^[A-Z].*[^.]$/);
      for (const { name, label } of fieldsOf(input)) expect(label, `${command} ${name}`).to.match(/^[A-Z]/);
    }
  });

  it('is recorded under an action, of which each belongs to a change', () => {
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

  it('that is dangerous needs a reason from an administrator', async () => {
    const dangerous = declarations.filter((one) => one.dangerous && one.by.includes('administrator'));
    expect(dangerous).to.have.length.at.least(7);
    for (const operation of dangerous) {
      const input = { ...inputOf(operation), reason: undefined };
      const error: unknown = await operation.answer(closed(actors.administrator), input).catch((thrown) => thrown);
      expect((error as ApiError).fields, operation.command).to.have.all.keys('reason');
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
          for (const other of [companyId + 1n, undefined]) {
            const error = await operation
              .answer(closed(actor), { ...input, companyId: other })
              .catch((thrown) => thrown);
            expect(error, command).to.be.instanceOf(ApiError);
            // Without a company the input may be refused first.
            expect(error.code, command).to.be.oneOf(['not_allowed', 'invalid_input']);
          }
      }
    });
});
