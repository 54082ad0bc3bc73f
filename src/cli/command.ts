import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { passwordCharactersMin } from '../operations/people/set-password.ts';

/** What a command did: one JSON object for programs, with ids as numbers, and short lines for people. */
export interface Outcome {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface OpsContext extends Context {
  /** The prefix of the service's counters, as in its own settings. */
  readonly limitsNamespace: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The outcome of an examination; the exit code is 1 unless all is well. */
interface Diagnosis extends Outcome {
  readonly isWell: boolean;
}

/** What the commands reach outside of themselves. */
export interface Host {
  /** Runs the work of one command on the database and prints its outcome. */
  readonly perform: (work: (ctx: OpsContext) => Promise<Outcome>) => Promise<void>;
  /** Prints the outcome of one command that needs only the settings. */
  readonly describe: (work: (config: Config) => Outcome) => void;
  /** Prints the outcome of a command that examines the environment variables and what they name. */
  readonly examine: (work: (env: Env) => Promise<Diagnosis>) => Promise<void>;
  readonly readPassword: () => Promise<string>;
}

interface CommandSpec {
  readonly name: string;
  readonly description: string;
  readonly options?: readonly Option[];
  /** Command lines without the leading `ops`. */
  readonly examples: readonly string[];
  readonly note?: string;
}

interface VerbSpec<Options> extends CommandSpec {
  readonly readsPassword?: boolean;
  readonly run: (ctx: OpsContext, options: Options, password: string) => Promise<Outcome>;
}

/** Adds a command to its parent. */
export type Verb = (parent: Command, host: Host) => void;

const passwordNote = `\nThe password (at least ${passwordCharactersMin} characters) is read from standard input. A terminal prompts for it and hides it.\n`;

export function addCommand(parent: Command, { name, description, options = [], examples, note = '' }: CommandSpec) {
  const command = parent.command(name).description(description);
  for (const option of options) command.addOption(option);
  const lines = examples.map((line) => `\n  $ ops ${line}`).join('');
  const heading = examples.length > 1 ? 'Examples:' : 'Example:';
  return command.addHelpText('after', `${note}\n${heading}${lines}`);
}

/** A command with its options, help and work; `Options` are the options as commander parses them. */
export const verb =
  <Options>(spec: VerbSpec<Options>): Verb =>
  (parent, host) => {
    const { note = '', readsPassword = false, run } = spec;
    const command = addCommand(parent, { ...spec, note: `${readsPassword ? passwordNote : ''}${note}` });
    command.action(async (given: Options) => {
      const password = readsPassword ? await host.readPassword() : '';
      await host.perform((ctx) => run(ctx, given, password));
    });
  };

export const optional = <T>(flags: string, description: string, parse?: (text: string) => T): Option => {
  const option = new Option(flags, description);
  return parse ? option.argParser(parse) : option;
};

export const required = <T>(flags: string, description: string, parse?: (text: string) => T): Option =>
  optional(flags, description, parse).makeOptionMandatory();

export const choice = (flags: string, description: string, values: readonly string[]): Option =>
  required(flags, description).choices(values);

/** An id: a positive whole number that JSON can carry. */
export function parseId(text: string): bigint {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return BigInt(text);
  throw new InvalidArgumentError('It must be an id: a whole number from 1.');
}

export function parseWholeNumber(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Ids separated by commas; an empty text means none. */
export function parseIds(text: string): number[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => Number(parseId(part.trim())));
}
