import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { CommanderError } from 'commander';
import type { Host, Outcome } from '../../src/cli/command-of.ts';
import { flagOf } from '../../src/cli/flags.ts';
import { makeProgram } from '../../src/cli/program.ts';
import type { Context } from '../../src/context.ts';
import type { Db } from '../../src/database/open.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { type AuditAction, auditActions } from '../../src/domain/audit-actions.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { secretMessage } from '../../src/domain/token.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { openReview } from '../../src/operations/jobs/people/open-review.ts';
import type { By, Declaration } from '../../src/operations/kit/declare.ts';
import { fieldsOf } from '../../src/operations/kit/fields.ts';
import { endMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { storedLabel } from '../../src/web/labels.ts';
import { i18n } from '../../src/web/texts/language.ts';
import { companyId, inputOf, messageFor, newWork, rightOf, secret, textsOf, wrong } from '../helper/declared-inputs.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, administratorActor, db } from '../helper/fixtures.ts';

const catalogue: object = i18n.getResourceBundle('pt-PT', 'translation');

/** Runs a command with typed values for these fields, and returns its output. */
async function run(operation: Declaration, texts: Readonly<Record<string, string>>): Promise<Outcome> {
  let printed: Outcome = { data: {}, text: '' };
  const host = {
    perform: async (work: Parameters<Host['perform']>[0]) => {
      printed = await work(actionContext(), '');
    },
    describe: () => undefined,
    examine: async () => undefined,
    readFile: async (content: string) => content,
    readPassword: async () => texts.password ?? '',
  };
  const flags = fieldsOf(operation.input).flatMap((field) => {
    const { name, kind } = field;
    if (kind === 'password' || texts[name] === undefined) return [];
    return [`--${flagOf(operation.command, field)}`, ...(kind === 'flag' ? [] : [texts[name]])];
  });
  const silent = { writeOut: () => undefined, writeErr: () => undefined };
  await makeProgram(host, silent).parseAsync([...operation.command.split(' '), ...flags], { from: 'user' });
  return printed;
}

/** The values in a change's answer besides its input. */
const said: Readonly<Partial<Record<AuditAction, object>>> = {
  'company.approved': { production_approved: true },
  'company.approval_withdrawn': { production_approved: false },
  'company.production_requested': { production_requested: true },
  'company.production_refused': { production_requested: false },
  'company.suspended': { suspended: true },
  'company.reinstated': { suspended: false },
  'company.changed': { verified: true, auto_publish: true },
  'company.districts_set': { district_ids: [11, 13] },
  'subscription.set': { plan: 'Pro' },
  'subscription.ended': { plan: null },
  'grant.given': { limit: 20, until: null },
  'job.approved': { outcome: 'approved' },
  'job.denied': { outcome: 'denied' },
  'job.purged': { jobs: 1 },
  'job.resubmitted': { outcome: 'resubmitted' },
  'job.review_undone': { outcome: 'undone' },
  'job.withdrawn': { outcome: 'withdrawn' },
  'plan.created': { api_eligible: true },
  'plan.set': { limit: 2, api_eligible: true },
  'category.deactivated': { active: false },
  'category.activated': { active: true },
  'session.ended': { sessions: 1 },
  'sandbox.reset': {
    jobs_removed: 1,
    keys_removed: 1,
    ...Object.fromEntries(storedResources.map(({ resource }) => [`${resource.table}_removed`, 1])),
  },
  'reference.seeded': { inserted: 0 },
};

/** The changes that make another thing each time: sent twice, two of them. */
const makesAnother: readonly AuditAction[] = [
  ...storedResources.flatMap(({ create }) => create.records ?? []),
  'company.created',
  'company.exported',
  'credential.issued',
  'credential.replaced',
  'user.password_set',
  'administrator.password_set',
];

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

/** The imports of operations by pages and commands, with their places. */
async function calledOperations(): Promise<[place: string, name: string, value: unknown][]> {
  const folders = ['web', 'cli'].map((name) => join(import.meta.dirname, '..', '..', 'src', name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const found: [string, string, unknown][] = [];
  for (const file of files.filter((name) => /[.](js|tsx?)$/.test(name) && !name.includes('assets'))) {
    const text = readFileSync(file, 'utf8');
    const imports = /import (?:\{([^}]*)\}|\* as (\w+)) from ['"]([^'"]*\/operations\/[^'"]*)/g;
    for (const [, listed = '', whole, from = ''] of text.matchAll(imports)) {
      const module: Record<string, unknown> = await import(join(dirname(file), from));
      const used = whole
        ? [...text.matchAll(new RegExp(`\\b${whole}[.](\\w+)`, 'g'))].map(([, name = '']) => name)
        : [];
      const names = listed.split(',').map((name) => name.replace(/^\s*(type )?|\s.*/g, ''));
      for (const name of [...used, ...names]) found.push([file, name, module[name]]);
    }
  }
  return found;
}

describe('everything that people can do', () => {
  afterEach(() => endMaintenance(actionContext(), {}));

  it('has a command of its own, with a label for each field', () => {
    const names = declarations.map(({ command }) => command);
    expect(new Set(names).size).to.equal(names.length);
    for (const { command, title, input } of declarations) {
      expect(title, command).to.match(/^[A-Z].*[^.]$/);
      for (const { name, label } of fieldsOf(input)) expect(label, `${command} ${name}`).to.match(/^[A-Z]/);
    }
  });

  it('is declared with the permitted actors, if a page or a command calls it', async () => {
    const undeclared = new Set<string>();
    for (const [place, name, called] of await calledOperations()) {
      if (typeof called !== 'function' || (declarations as readonly unknown[]).includes(called)) continue;
      undeclared.add(name);
      // The function with a context accepts only the acting person.
      if (name !== 'changePassword')
        expect(String(called), `${place}: ${name}`).to.not.match(/\b(ctx|context|db|tx)\b/);
    }
    const pure = [
      'bodyErrors',
      'checkInput',
      'fieldsOf',
      'fromText',
      'idField',
      'idFieldOf',
      'inFormName',
      'isIdField',
      'issueMessage',
      'maskedSecret',
      'mustFill',
    ];
    expect([...undeclared].sort()).to.deep.equal([...pure, 'changePassword', 'shownName'].sort());
  });

  it('is recorded under an action, and every action belongs to a change', () => {
    const recorded = declarations.flatMap(({ records }) => records ?? []);
    expect([...recorded].sort()).to.deep.equal([...auditActions].sort());
  });

  it('has no field that takes a secret, also inside a text', () => {
    for (const operation of declarations)
      for (const { name } of fieldsOf(operation.input))
        for (const text of [`(${secret})`, `<${secret}>`, secret.replaceAll('_', '%5F')])
          expect(messageFor(operation, name, text), `${operation.command} ${name}: ${text}`).to.equal(secretMessage);
  });

  for (const operation of declarations)
    it(`${operation.command}: the command refuses input that breaks a rule, with the same message`, async () => {
      const fields = fieldsOf(operation.input);
      const needed = Object.fromEntries(
        fields.flatMap((field) => (field.isRequired ? [[field.name, rightOf(field)[1]]] : [])),
      );
      for (const field of fields)
        for (const [value, text] of wrong[field.kind]) {
          const message = messageFor(operation, field.name, value);
          if (message === undefined) continue;
          const error: unknown = await run(operation, { ...needed, [field.name]: text }).catch((thrown) => thrown);
          const about = `--${flagOf(operation.command, field)} ${text.slice(0, 30)}`;
          expect(error instanceof CommanderError || error instanceof ApiError, `${about}: ${error}`).to.equal(true);
          expect((error as Error).message, about).to.include(message);
        }
    });

  it('takes the largest ID for each field, also if its column holds only smaller ones', async () => {
    for (const operation of declarations)
      for (const { name } of fieldsOf(operation.input).filter(({ kind }) => kind === 'id')) {
        const input = { ...inputOf(operation), [name]: 10n ** 18n - 1n };
        const outcome: unknown = await operation.answer(actionContext(), input).catch((thrown) => thrown);
        if (outcome instanceof Error) expect(outcome, `${operation.command} ${name}`).to.be.instanceOf(ApiError);
      }
  });

  it('says that a company does not exist, instead of showing nothing, except in the audit trail, which outlives companies', async () => {
    const ofCompany = declarations.filter(
      ({ input, ...one }) => ('items' in one || one.isFile) && fieldsOf(input).some(({ name }) => name === 'companyId'),
    );
    for (const operation of ofCompany) {
      if (operation.command === 'audit list') continue;
      const input = { ...inputOf(operation), companyId };
      await expectRefused('unknown_company', () => operation.answer(actionContext(), input));
    }
    expect(ofCompany).to.have.length.greaterThan(9);
  });

  for (const operation of declarations)
    it(`${operation.command}: the command runs, prints text or an object, and records a change`, async () => {
      const { records, columns } = operation;
      const { input } = await newWork(operation);
      const last = () => db().auditEntry.findFirst({ orderBy: { id: 'desc' } });
      const before = await last();
      const earlier = records ? undefined : (await operation.answer(actionContext(), input)).shown;
      const { data, text } = await run(operation, textsOf(input));
      expect(text)
        .to.match(/\S/)
        .and.not.match(/undefined|\{\{|\[object|argon|hash/);
      const entry = await last();
      // A seed that finds everything there has nothing to record.
      if (!records || records === 'reference.seeded') expect(entry).to.deep.equal(before);
      else expect(entry).to.include({ actor: 'operator', action: records });
      // The audit trail shows each detail with its name, except those that it words by themselves.
      const details = Object.keys(entry?.details ?? {}).map((name) => name.replaceAll('_', ' '));
      const isWorded = (name: string) => name in catalogue || storedLabel(name) in catalogue;
      expect(details.filter((name) => !['access', 'days'].includes(name) && !isWorded(name))).to.deep.equal([]);
      if (records) return expect(data).to.deep.include(said[records] ?? {});
      const { shown, rows } = await operation.answer(actionContext(), input);
      // A request of another test may be counted in between.
      expect([earlier, shown]).to.deep.include(data);
      expect(Object.keys(data)).to.not.deep.equal([]);
      if (!columns) return;
      for (const heading of Object.values(columns)) expect(text).to.contain(heading);
      expect(rows).to.not.deep.equal([]);
    });

  for (const operation of declarations) {
    if (operation.records) continue;
    it(`${operation.command}: shows, and so writes nothing`, async () => {
      const { input } = await newWork(operation);
      // It stores which administrator has a job open.
      const isStored = operation === openReview;
      const administrator = operation.by.includes('administrator') && !isStored;
      for (const actor of [{ kind: 'operator' } as const, ...(administrator ? [await administratorActor()] : [])])
        await db().$transaction(async (tx) => {
          await tx.$executeRaw`SET TRANSACTION READ ONLY`;
          await operation.answer({ ...actionContext(actor), db: tx as unknown as Db }, input);
        });
    });
  }

  for (const operation of declarations) {
    const { records: action } = operation;
    if (!action || makesAnother.includes(action)) continue;
    it(`${operation.command}: sent twice at the same time, and again, it is recorded once`, async () => {
      const { input } = await newWork(operation);
      const { id: before } = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' }, select: { id: true } });
      const recorded = () => db().auditEntry.count({ where: { id: { gt: before }, action } });
      const send = () => operation.answer(actionContext(), input).catch((error: unknown) => error);
      const answers = [...(await Promise.all([send(), send()])), await send()];
      for (const answer of answers) if (answer instanceof Error) expect(answer).to.be.instanceOf(ApiError);
      expect(await recorded()).to.equal(action === 'reference.seeded' ? 0 : 1);
    });
  }

  it('says that a company sees the reason only where a company remains that sees it', () => {
    for (const { command, input } of declarations)
      for (const { name, hint } of fieldsOf(input))
        if (name === 'reason' && ('companyId' in input.shape ? command === 'company erase' : true))
          expect(hint.text, command).to.not.include('company');
  });

  it('has no hint about how to type what a form offers as choices', async () => {
    for (const operation of declarations) {
      const { input } = await newWork(operation);
      const offered = await operation.choicesOf(actionContext(), input);
      for (const { name, hint } of fieldsOf(operation.input))
        if (name in offered) expect(hint.text, `${operation.command} ${name}`).to.not.match(/^(ID|Name|Such)\b/);
    }
  });

  it('of a dangerous kind needs a reason from an administrator', async () => {
    const dangerous = declarations.filter((one) => one.dangerous && one.by.includes('administrator'));
    expect(dangerous).to.have.length.at.least(7);
    for (const operation of dangerous) {
      const input = { ...inputOf(operation), reason: undefined };
      const error: unknown = await operation.answer(closed(actors.administrator), input).catch((thrown) => thrown);
      const fields = (error as ApiError).faults.map(([field]) => field);
      expect(fields, operation.command).to.deep.equal(['reason']);
    }
  });

  for (const operation of declarations)
    it(`${operation.command}: nobody else may run it, and nobody for another company`, async () => {
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
