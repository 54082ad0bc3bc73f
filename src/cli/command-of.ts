import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { filled, type Message } from '../domain/message.ts';
import { type Answer, type Declaration, type Shown, shownName } from '../operations/kit/declare.ts';
import { fieldsOf } from '../operations/kit/fields.ts';
import { attributeOf, exampleOf, optionsOf } from './flags.ts';
import { linesOf, tableOf } from './print.ts';

/** The outcome of a command: one JSON object for programs, text for people. */
export interface Outcome {
  readonly data: Shown;
  readonly text: string;
  /** Printed instead of `text`: a string as it is, an object as one line of JSON. */
  readonly lines?: AsyncIterable<Shown | string>;
  /** After a change: what is said of it, without a secret, if the outcome cannot be printed. */
  readonly done?: string;
  /** If false, the exit code is 1. */
  readonly isWell?: boolean;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** What the commands need from their process. */
export interface Host {
  /** Runs the work of one command on the database and prints its outcome. */
  readonly perform: (work: (ctx: Context, publicUrl: string) => Promise<Outcome>) => Promise<void>;
  /** Runs a command that needs only the environment variables and the files that they name, and prints its outcome. */
  readonly examine: (work: (env: Env) => Promise<Outcome>) => Promise<void>;
  /** `-` is standard input. */
  readonly readFile: (path: string) => Promise<string>;
  readonly readPassword: () => Promise<string>;
}

interface CommandSpec {
  readonly name: string;
  readonly description: string;
  /** A command line without the leading `ops`. */
  readonly example: string;
  readonly note?: string;
}

export const addCommand = (parent: Command, { name, description, example, note = '' }: CommandSpec): Command =>
  parent.command(name).description(description).addHelpText('after', `${note}\nExample:\n  $ ops ${example}`);

/**
 * Adds the command of an operation: a flag for each field, except a password, which is read from standard input. Without an optional
 * password, an operation returns the `path` of a link that sets one.
 */
export function addOperation(parent: Command, operation: Declaration, host: Host): void {
  const fields = fieldsOf(operation.input);
  const flags = fields.filter(({ kind }) => kind !== 'password');
  const passwords = fields.filter(({ kind }) => kind === 'password');
  const { command: name, title, dangerous } = operation;
  const example = [name, ...flags.flatMap((field) => exampleOf(name, field)), ...passwords.map(() => '< password.txt')];
  const notes = [
    dangerous,
    ...passwords.map(
      ({ hint, isRequired }) =>
        `The password is read from standard input${isRequired ? '' : ', unless --link is given'}. ${filled(hint)}`,
    ),
  ];
  const command = addCommand(parent, {
    name: name.replace(/^.* /, ''),
    description: title,
    example: example.join(' '),
    note: notes.map((note) => (note === undefined ? '' : `\n${note}\n`)).join(''),
  });
  for (const field of flags) for (const option of optionsOf(name, field)) command.addOption(option);
  if (passwords.some(({ isRequired }) => !isRequired))
    command.option('--link', 'Print a link that sets a password, once, within a day');
  command.action(async (given: Shown) => {
    const input = Object.fromEntries(flags.map((field) => [field.name, given[attributeOf(name, field)]]));
    for (const { name, kind } of flags)
      if (kind === 'json') input[name] = jsonIn(await host.readFile(String(input[name])));
    if (!given.link) for (const password of passwords) input[password.name] = await host.readPassword();
    await host.perform(async (ctx, publicUrl) => outcomeOf(operation, await operation.answer(ctx, input), publicUrl));
  });
}

/** Parses JSON. Other text is returned unchanged, so that the schema refuses it. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is said of a change whose output is lost, with the command that gets another secret or link: nobody has seen this one. */
function doneWithoutSecret({ command }: Declaration, { secret, path }: Shown, done: Message): string {
  const { credential_id: id, ends_at: endsAt, email, company_id: company } = done.params ?? {};
  if (secret !== undefined) {
    const ofOld = endsAt === undefined ? '' : '; the old one ends at {{ends_at}}';
    const advice = `; for another secret, run credential replace --id ${id} --overlap-hours 0`;
    return filled({ ...done, text: `credential {{credential_id}} is new${ofOld}${advice}` });
  }
  if (path === undefined) return filled(done);
  const ofCompany = company === undefined ? '' : ` --company ${company}`;
  const again = `${command.replace(/ .*/, '')} set-password --link --email ${shellWord(String(email))}${ofCompany}`;
  return `${filled(done)}; for another link, run ${again}`;
}

const shellWord = (text: string): string => (/[^\w.@+-]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text);

function outcomeOf(operation: Declaration, { shown, done, settled, rows, file }: Answer, publicUrl: string): Outcome {
  if (file) return { data: shown, text: linesOf(shown), lines: file.lines };
  if (!rows) {
    const { path, ends_at } = shown;
    const link = path === undefined ? undefined : publicUrl + path;
    const lines = link === undefined ? '' : `\n${linesOf({ link, ends_at })}`;
    const said = settled ?? done;
    const text = said === undefined ? linesOf(shown) : filled(said) + lines;
    const outcome = { data: { ...shown, ...(link !== undefined && { link }) }, text };
    return done ? { ...outcome, done: doneWithoutSecret(operation, shown, done) } : outcome;
  }
  const columns = Object.entries(operation.columns ?? {});
  const headings = columns.map(([name, heading]) => [shownName(operation, name), heading] as const);
  return { data: shown, text: tableOf(headings, rows, shown) };
}
