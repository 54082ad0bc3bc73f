import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { filled } from '../domain/message.ts';
import { messageOf } from '../operations/check-input.ts';
import type { Operation, Shown } from '../operations/declare.ts';
import { type Field, fieldsOf } from '../operations/fields.ts';
import { linesOf, tableOf } from './print.ts';

/** What a command did: one JSON object for programs, and text for people. */
export interface Outcome {
  readonly data: Shown;
  readonly text: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The outcome of an examination; the exit code is 1 unless all is well. */
interface Diagnosis extends Outcome {
  readonly isWell: boolean;
}

/** What the commands reach outside of themselves. */
export interface Host {
  /** Runs the work of one command on the database and prints its outcome. */
  readonly perform: (work: (ctx: Context) => Promise<Outcome>) => Promise<void>;
  /** Prints the outcome of one command that needs only the settings. */
  readonly describe: (work: (config: Config) => Outcome) => void;
  /** Prints the outcome of a command that examines the environment variables and what they name. */
  readonly examine: (work: (env: Env) => Promise<Diagnosis>) => Promise<void>;
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

/** Adds the command of an operation: a flag for each field, except a password, which is read from standard input. */
export function addOperation(parent: Command, operation: Operation, host: Host): void {
  const fields = fieldsOf(operation.input);
  const [flags, passwords] = [fields.filter(isFlag), fields.filter((field) => !isFlag(field))];
  const { command: name, title, dangerous } = operation;
  const example = [name, ...flags.flatMap((field) => exampleOf(name, field)), ...passwords.map(() => '< password.txt')];
  const notes = [dangerous, ...passwords.map(({ hint }) => `The password is read from standard input. ${hint}`)];
  const command = addCommand(parent, {
    name: name.replace(/^.* /, ''),
    description: title,
    example: example.join(' '),
    note: notes.map((note) => (note === undefined ? '' : `\n${note}\n`)).join(''),
  });
  for (const field of flags) for (const option of optionsOf(name, field)) command.addOption(option);
  command.action(async (given: Shown) => {
    const input = Object.fromEntries(flags.map((field) => [field.name, given[attributeOf(name, field)]]));
    for (const password of passwords) input[password.name] = await host.readPassword();
    await host.perform(async (ctx) => outcomeOf(operation, await operation.answer(ctx, input)));
  });
}

const isFlag = ({ kind }: Field): boolean => kind !== 'password';

function outcomeOf(
  { done, columns }: Operation,
  { shown, values = {}, rows }: Awaited<ReturnType<Operation['answer']>>,
): Outcome {
  if (rows && columns) return { data: shown, text: tableOf(columns, rows, shown) };
  return { data: shown, text: done === undefined ? linesOf(shown) : filled({ text: done, params: values }) };
}

/** The command's own noun is its `--id`, another one goes by its name: companyId is --id of `company show` and --company of `job show`. */
export function flagOf(command: string, { name }: Pick<Field, 'name'>): string {
  const [noun] = command.split(' ');
  if (name === `${noun}Id`) return 'id';
  return name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const attributeOf = (command: string, field: Field): string =>
  new Option(`--${flagOf(command, field)}`).attributeName();

function optionsOf(command: string, field: Field): Option[] {
  const { kind, label, hint, values, isRequired } = field;
  const flag = flagOf(command, field);
  const text = hint === '' ? label : `${label}. ${hint}`;
  if (kind === 'flag') return [new Option(`--${flag}`, text), new Option(`--no-${flag}`, `Not: ${label}`)];
  const description = values.length > 0 ? `${text} (${values.join(', ')})` : text;
  const option = new Option(`--${flag} <${placeholders[kind] ?? flag}>`, description);
  return [option.argParser((given: string) => typedValue(field, given)).makeOptionMandatory(isRequired)];
}

const placeholders: Readonly<Partial<Record<Field['kind'], string>>> = {
  id: 'id',
  ids: 'ids',
  number: 'number',
  day: 'YYYY-MM-DD',
  email: 'address',
};

/** A text that cannot be a value of the field is wrong usage; a number beyond a limit is refused like any other input. */
function typedValue({ kind, schema }: Field, text: string): unknown {
  const value = conversions[kind]?.(text) ?? text;
  if (conversions[kind] === undefined && kind !== 'choice') return value;
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue && (kind !== 'number' || issue.code === 'invalid_type'))
    throw new InvalidArgumentError(`It ${filled(messageOf(issue))}.`);
  return value;
}

const wholeNumber = (text: string): number => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

const conversions: Readonly<Partial<Record<Field['kind'], (text: string) => unknown>>> = {
  number: wholeNumber,
  id: (text) => (/^\d{1,19}$/.test(text) ? BigInt(text) : text),
  ids: (text) => (text.trim() === '' ? [] : text.split(',').map((part) => wholeNumber(part.trim()))),
};

const samples: Readonly<Partial<Record<Field['kind'], string>>> = { id: '12', number: '20', email: 'ana@example.com' };

function exampleOf(command: string, field: Field): string[] {
  const { kind, values, example, isRequired } = field;
  if (!isRequired && example === undefined) return [];
  const value = example ?? values[0] ?? samples[kind] ?? 'text';
  return [`--${flagOf(command, field)} ${/[^\w.@,-]/.test(value) ? `"${value}"` : value}`];
}
