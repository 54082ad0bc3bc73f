import type { ComponentChildren } from 'preact';
import { CodeList } from './code.tsx';
import { enumOf, nameOf, resolve, type Schema, type Written } from './contract.ts';
import { InlineMarkdown } from './markdown.tsx';

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
  const values = enumOf(schema);
  return (
    <div id={id}>
      <dt>
        <code>{name}</code> <span class="type">{[typeText(schema), ...limitTexts(schema)].join(', ')}</span>
        {required && <strong class="required"> required</strong>}
      </dt>
      <dd>
        <InlineMarkdown text={description ?? schema.description ?? ''} />
        {link !== undefined && (
          <>
            {' '}
            See <a href={`#${link}`}>{link}</a>.
          </>
        )}
        {values.length > 0 && (
          <>
            {' '}
            One of <CodeList values={values} />.
          </>
        )}
        {children}
      </dd>
    </div>
  );
}

/** array of string or null */
function typeText(schema: Schema): string {
  const { type = 'any value', format, nullable } = schema;
  const named = format && format !== 'int64' ? `${type} (${format})` : type;
  const text = schema.type === 'array' ? `array of ${typeText(resolve(schema.items))}` : named;
  return nullable ? `${text} or null` : text;
}

/** The limits of a value, such as "1 to 255 characters". */
function limitTexts(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, pattern, minProperties, default: standard } = schema;
  return [
    rangeText(minLength, maxLength, ' character'),
    // The largest safe integer is JavaScript's limit, not the field's.
    rangeText(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    schema.type === 'array' ? rangeText(schema.minItems, schema.maxItems, ' item') : undefined,
    ...(schema.type === 'array' ? limitTexts(resolve(schema.items)).map((text) => `each ${text}`) : []),
    minProperties === undefined ? undefined : `at least ${minProperties} of its properties`,
    pattern === undefined ? undefined : `matches ${pattern}`,
    standard === undefined ? undefined : `default ${JSON.stringify(standard)}`,
  ].filter((text) => text !== undefined);
}

function rangeText(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const count = (value: number) => `${value}${unit === '' || value === 1 ? unit : `${unit}s`}`;
  if (min !== undefined && max !== undefined) return `${min} to ${count(max)}`;
  if (max !== undefined) return `at most ${count(max)}`;
  return min === undefined ? undefined : `at least ${count(min)}`;
}
