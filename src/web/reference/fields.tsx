import type { ComponentChildren } from 'preact';
import { CodeList } from './code.tsx';
import { enumOf, nameOf, resolve, type Schema, type Written } from './contract.ts';
import { InlineContractMarkdown } from './contract-text.tsx';
import { type Texts, useTexts } from './texts.ts';

interface Field {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
  /** The section of the object that the value, or each item of it, is. */
  readonly link?: string | undefined;
}

/** The properties of a body; those of nested objects by their path: `error.details.reason`. */
export const Fields = ({ schema }: { readonly schema: Written<Schema> }) => (
  <dl class="fields">
    {fieldsOf(resolve(schema)).map((field) => (
      <FieldRow key={field.name} {...field} />
    ))}
  </dl>
);

function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([property, written]) => {
    const schema = resolve(written);
    const name = prefix + property;
    const link = sectionOf(written);
    const field = { name, required: required.includes(property), schema, link };
    return [field, ...(link === undefined && schema.type === 'object' ? fieldsOf(schema, `${name}.`) : [])];
  });
}

/** Only objects have a section; other values are described in place. */
function sectionOf(written: Written<Schema>): string | undefined {
  const schema = resolve(written);
  if (schema.type === 'array') return sectionOf(schema.items);
  return schema.type === 'object' ? nameOf(written) : undefined;
}

interface RowProps extends Field {
  /** Replaces the schema's description. */
  readonly description?: string | undefined;
  readonly children?: ComponentChildren;
  readonly id?: string;
}

/** One name with its type, limits, meaning and accepted values. */
export function FieldRow({ name, required, schema, link, description, children, id }: RowProps) {
  const { docs, fieldTypes } = useTexts();
  const values = enumOf(schema);
  return (
    <div id={id}>
      <dt>
        <code>{name}</code>{' '}
        <span class="type">{[typeText(schema, fieldTypes), ...limitTexts(schema, fieldTypes)].join(', ')}</span>
        {required && <strong class="required">{docs.required}</strong>}
      </dt>
      <dd>
        <InlineContractMarkdown text={description ?? schema.description ?? ''} />
        {link !== undefined && [' ', docs.see(<a href={`#${link}`}>{link}</a>)]}
        {values.length > 0 && [' ', docs.oneOf(<CodeList values={values} />)]}
        {children}
      </dd>
    </div>
  );
}

type TypeTexts = Texts['fieldTypes'];

/** array of string or null */
function typeText(schema: Schema, texts: TypeTexts): string {
  const { type = texts.any, format, nullable } = schema;
  const named = format && format !== 'int64' ? `${type} (${format})` : type;
  const text = schema.type === 'array' ? texts.arrayOf(typeText(resolve(schema.items), texts)) : named;
  return nullable ? texts.orNull(text) : text;
}

/** The limits of a value, such as "1 to 255 characters". */
function limitTexts(schema: Schema, texts: TypeTexts): string[] {
  const { minLength, maxLength, minimum, maximum, pattern, minProperties, default: standard } = schema;
  const { character, item } = texts.units;
  return [
    rangeText(texts, minLength, maxLength, character),
    // The largest safe integer is JavaScript's limit, not the field's.
    rangeText(texts, minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    schema.type === 'array' ? rangeText(texts, schema.minItems, schema.maxItems, item) : undefined,
    ...(schema.type === 'array' ? limitTexts(resolve(schema.items), texts).map(texts.each) : []),
    minProperties === undefined ? undefined : texts.someProperties(minProperties),
    pattern === undefined ? undefined : texts.matches(pattern),
    standard === undefined ? undefined : texts.standard(JSON.stringify(standard)),
  ].filter((text) => text !== undefined);
}

type Unit = TypeTexts['units']['item'];

function rangeText(
  texts: TypeTexts,
  min: number | undefined,
  max: number | undefined,
  unit?: Unit,
): string | undefined {
  const count = (value: number) => (unit ? `${value} ${value === 1 ? unit.one : unit.several}` : String(value));
  if (min !== undefined && max !== undefined) return texts.range(String(min), count(max));
  if (max !== undefined) return texts.atMost(count(max));
  return min === undefined ? undefined : texts.atLeast(count(min));
}
