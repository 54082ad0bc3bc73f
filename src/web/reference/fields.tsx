import type { OpenAPIV3 } from 'openapi-types';
import type { ComponentChildren } from 'preact';
import { type ContractView, nameOf, type Schema } from './contract-view.ts';
import { InlineMarkdown } from './markdown.tsx';
import { enumOf, limitTexts, typeText } from './schema-text.ts';

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** The schema with a section of its own that the value, or each item of it, is one of. */
  readonly link: string | undefined;
}

interface FieldsProps {
  readonly view: ContractView;
  readonly schema: Schema | OpenAPIV3.ReferenceObject;
}

/** The properties of a body, those of objects written in place by their path: `error.details.reason`. */
export const Fields = ({ view, schema }: FieldsProps) => (
  <dl class="fields">
    {fieldsOf(view, view.resolve(schema)).map(({ name, required, schema: own, link }) => (
      <FieldRow key={name} view={view} name={name} required={required} schema={own} link={link} />
    ))}
  </dl>
);

function fieldsOf(view: ContractView, { properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([property, written]) => {
    const schema = view.resolve(written);
    const name = prefix + property;
    const link = sectionOf(view, written);
    const field = { name, required: required.includes(property), schema, link };
    return [field, ...(link === undefined && schema.type === 'object' ? fieldsOf(view, schema, `${name}.`) : [])];
  });
}

/** Only objects have sections; what a plain value may be is said where it stands. */
function sectionOf(view: ContractView, written: Schema | OpenAPIV3.ReferenceObject): string | undefined {
  const schema = view.resolve(written);
  if (schema.type === 'array') return sectionOf(view, schema.items);
  return schema.type === 'object' ? nameOf(written) : undefined;
}

interface RowProps extends FieldsProps {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly link?: string | undefined;
  /** In place of the schema's own description. */
  readonly description?: string | undefined;
  readonly children?: ComponentChildren;
  /** For links to it. */
  readonly id?: string;
}

/** One name with its type, limits, meaning and accepted values. */
export function FieldRow({
  view,
  name,
  required,
  schema,
  link,
  description = schema.description,
  children,
  id,
}: RowProps) {
  const values = enumOf(schema);
  return (
    <div id={id}>
      <dt>
        <code>{name}</code> <span class="type">{[typeText(view, schema), ...limitTexts(view, schema)].join(', ')}</span>
        {required && <strong class="required"> required</strong>}
      </dt>
      <dd>
        <InlineMarkdown text={description ?? ''} />
        {link !== undefined && (
          <>
            {' '}
            See <a href={`#${link}`}>{link}</a>.
          </>
        )}
        {values.length > 0 && (
          <>
            {' '}
            One of{' '}
            {values.map((value, at) => (
              <>
                {at > 0 && ', '}
                <code>{value}</code>
              </>
            ))}
            .
          </>
        )}
        {children}
      </dd>
    </div>
  );
}
