import { InvalidArgumentError, Option } from 'commander';
import { filled } from '../domain/message.ts';
import { Unclear } from '../domain/typed-number.ts';
import { idFieldOf } from '../operations/kit/declare.ts';
import { type Field, fromText, issueMessage } from '../operations/kit/fields.ts';

/** A company's id is always `--company`. The id of the command's own noun is `--id`, as in `job show`. Other ids keep their names. */
export function flagOf(command: string, { name, kind }: Pick<Field, 'name' | 'kind'>): string {
  if (kind === 'json') return 'file';
  if (name === idFieldOf({ command }) && name !== 'companyId') return 'id';
  return name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name under which Commander returns a flag's value. */
export const attributeOf = (command: string, field: Field): string =>
  new Option(`--${flagOf(command, field)}`).attributeName();

export function optionsOf(command: string, field: Field): Option[] {
  const { name, kind, label, hint, values, placeholder, isRequired } = field;
  const flag = flagOf(command, field);
  const text = hint.text === '' ? label : `${label}. ${filled(hint)}`;
  if (kind === 'flag') return [new Option(`--${flag}`, text), new Option(`--no-${flag}`, `Not: ${label}`)];
  const description = values.length > 0 ? `${text} (${values.join(', ')})` : text;
  const flags = `--${flag} <${placeholder ?? placeholders[kind] ?? flag}>`;
  const isSubject = name === idFieldOf({ command });
  const option = isSubject && flag !== 'id' ? new SubjectOption(flags, description) : new Option(flags, description);
  return [option.argParser((given: string) => typedValue(field, given)).makeOptionMandatory(isRequired)];
}

declare module 'commander' {
  interface Option {
    /** Whether an argument is this option. Missing in Commander's types. */
    is(typed: string): boolean;
  }
}

/** `company show --id` is an older name, which still works but is not in the help. */
class SubjectOption extends Option {
  readonly #given: string;

  constructor(flags: string, description: string) {
    super(`--id, ${flags}`, description);
    this.#given = flags;
    this.flags = flags;
  }

  /** Commander's refusals name `flags`: those with the name that was typed. */
  override is(typed: string): boolean {
    const isTyped = super.is(typed);
    if (isTyped) this.flags = this.#given.replace(this.long ?? '', typed);
    return isTyped;
  }
}

const placeholders: Readonly<Partial<Record<Field['kind'], string>>> = {
  id: 'id',
  ids: '1,2,...',
  number: 'number',
  day: 'YYYY-MM-DD',
  minute: 'YYYY-MM-DDTHH:MM',
  email: 'address',
};

/** Converts a flag's text. Throws InvalidArgumentError if the field cannot have that value. Leaves texts to the operation. */
function typedValue(field: Field, text: string): unknown {
  const { kind, schema } = field;
  // Programs write -1 for no limit.
  const value = fromText(field, kind === 'limit' && text === '-1' ? 'unlimited' : text);
  if (value instanceof Unclear) throw new InvalidArgumentError(filled(value.message).replace(/^must .*/, 'It $&.'));
  if (!['number', 'limit', 'id', 'ids', 'choice', 'day', 'minute'].includes(kind)) return value;
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue) throw new InvalidArgumentError(`It ${filled(issueMessage(issue))}.`);
  return value;
}

const samples: Readonly<Partial<Record<Field['kind'], string>>> = {
  id: '12',
  number: '20',
  email: 'ana@example.com',
};

export function exampleOf(command: string, field: Field): string[] {
  const { kind, values, example, isRequired } = field;
  if (!isRequired && example === undefined) return [];
  // `vaga` runs as the service's user, in a folder of the service: it cannot read the person's file.
  if (kind === 'json') return [`--file - < ${example}`];
  const value = example ?? values[0] ?? samples[kind] ?? 'text';
  return [`--${flagOf(command, field)} ${/[^\w.@,-]/.test(value) ? `"${value}"` : value}`];
}
