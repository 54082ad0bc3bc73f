import type { Context } from '../../context.ts';
import type { Message } from '../../domain/message.ts';
import { type Declaration, isIdField, type Shown } from '../../operations/kit/declare.ts';
import { type Field as DeclaredField, fieldsOf } from '../../operations/kit/fields.ts';
import { inLanguage } from '../form.ts';
import { isSuspendedFor, type Options, usePageRequest } from '../page.ts';
import type { Translate } from '../texts/language.ts';
import { Checkboxes, CheckboxField, Field, HiddenField, LimitField, SelectField, TextAreaField } from './field.tsx';
import { PostForm } from './post-form.tsx';
import { VisuallyHidden } from './text.tsx';

/** Reads the choices of a declaration's fields, by field name. */
export async function choicesOf(
  ctx: Context & { readonly t: Translate },
  operation: Declaration,
  given: Shown,
): Promise<Record<string, Options>> {
  const labelOf = (label: string | Message): string => (typeof label === 'string' ? label : inLanguage(label, ctx.t));
  const choices = Object.entries(await operation.choicesOf(ctx, given));
  return Object.fromEntries(
    choices.map(([name, all]) => [name, all.map(([value, label]) => [value, labelOf(label)] as const)]),
  );
}

/** A hint such as: Lisbon time. */
const zoneHint = (timeZone: string, t: Translate): string =>
  t('{{place}} time.', { place: t(timeZone.replace(/^.*\//, '').replaceAll('_', ' ')) });

const inputTypes = { email: 'email', number: 'number', day: 'date', minute: 'datetime-local' } as const;

interface OperationFieldProps {
  readonly field: DeclaredField;
  readonly options?: Options | undefined;
  /** The label of the empty choice. Given in a filter, where every field is optional. */
  readonly none?: string;
}

/** The control for a declared field. */
export function OperationField({ field, options, none }: OperationFieldProps) {
  const { t, timeZone, person } = usePageRequest();
  const { kind, name, values, valueLabels, isRequired, initial } = field;
  if (kind === 'version') return <HiddenField name={name} />;
  const own = person && 'company' in person ? field.ownHint : undefined;
  const written = own ? { text: own } : field.hint;
  const hint = kind === 'minute' ? zoneHint(timeZone, t) : written.text && inLanguage(written, t);
  const labels = {
    name,
    label: t(field.label),
    ...(hint !== '' && { hint }),
    isOptional: !isRequired && initial === undefined && none === undefined,
  };
  if (kind === 'limit') return <LimitField {...labels} />;
  if (kind === 'flag') return <CheckboxField {...labels} />;
  if (kind === 'ids') return <Checkboxes {...labels} options={options ?? []} />;
  if (kind === 'text') return <TextAreaField {...labels} rows={2} required={isRequired} />;
  const choices = options ?? values.map((value) => [value, t(valueLabels[value] ?? value)] as const);
  if (options || choices.length > 0)
    return (
      <SelectField
        {...labels}
        options={choices}
        none={isRequired || initial !== undefined ? undefined : (none ?? t('Not set'))}
      />
    );
  const type = kind in inputTypes ? inputTypes[kind as keyof typeof inputTypes] : 'text';
  return <Field {...labels} type={type} required={isRequired} autocomplete="off" />;
}

interface ActionProps {
  readonly operation: Declaration;
  /** The address of the operation's form. */
  readonly href: string;
  /** The name of the row that the operation acts on, for screen readers. */
  readonly row?: string;
  /** The text of the link or button. Defaults to the operation's label. */
  readonly text?: string;
  /** The subject's version, for a button to send. Given only if the form would ask for nothing else. */
  readonly version?: string;
}

/** Links to an operation's form, or, if the form would ask nothing, shows a button that runs the operation. Empty if a suspension forbids it. */
export function Action({ operation, href, row, text, version }: ActionProps) {
  const { t, person } = usePageRequest();
  if (isSuspendedFor(person, operation)) return null;
  const content = (
    <>
      {text ?? t(operation.label ?? operation.title)}
      {row !== undefined && <VisuallyHidden>{` ${row}`}</VisuallyHidden>}
    </>
  );
  const isDangerous = operation.dangerous !== undefined;
  if (isDangerous || (version === undefined && fieldsOf(operation.input).some(({ name }) => !isIdField(name))))
    return (
      <a href={href} class={isDangerous ? 'danger' : undefined}>
        {content}
      </a>
    );
  return (
    <PostForm action={href} values={version === undefined ? {} : { version }} isFile={operation.isFile}>
      {version !== undefined && <HiddenField name="version" />}
      <button type="submit" class="secondary">
        {content}
      </button>
    </PostForm>
  );
}
