import { asObject, ContractError, dereference, isObject, type Json, type JsonObject, schemaOf } from './document.ts';

/** How a field is stored and checked. */
type JobFieldKind = 'text' | 'html' | 'enum' | 'integer' | 'decimal' | 'boolean' | 'date' | 'list';

/** One writable field of a job, as `JobInput` of the contract declares it. */
export interface JobField {
  readonly name: string;
  readonly kind: JobFieldKind;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly label: string;
  /** With `$ref` resolved. */
  readonly schema: JsonObject;
}

export const jobFieldsPath = ['components', 'schemas', 'JobInput', 'properties'];

const kinds: Readonly<Record<string, JobFieldKind>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'decimal',
  array: 'list',
};

/** The writable fields of a job, in the order of the contract. Throws a ContractError. */
export function jobFieldsOf(document: JsonObject): JobField[] {
  const input = schemaOf(dereference(document), 'JobInput');
  const required = Array.isArray(input.required) ? input.required : [];
  return Object.entries(asObject(input.properties, 'JobInput.properties')).map(([name, value]) => {
    const path = [...jobFieldsPath, name];
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
      throw new ContractError(path, `the name of a job field is lower case words with underscores, not ${name}`);
    const schema = asObject(value, name);
    const field = {
      name,
      kind: kindOf(path, schema),
      required: required.includes(name),
      nullable: schema.nullable === true,
      label: String(schema['x-label'] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')),
      schema,
    };
    checkField(path, field);
    return field;
  });
}

function kindOf(path: readonly string[], schema: JsonObject): JobFieldKind {
  if (schema.type === 'string') {
    if (schema['x-html'] === true) return 'html';
    if (Array.isArray(schema.enum)) return 'enum';
    return schema.format === 'date' ? 'date' : 'text';
  }
  const kind = kinds[String(schema.type)];
  if (!kind)
    throw new ContractError(
      [...path, 'type'],
      `a job field of type ${schema.type} has no column: use string, integer, number, boolean, or array of strings`,
    );
  return kind;
}

/** What every kind needs, so that its column and its checks can be derived. */
function checkField(path: readonly string[], { kind, required, nullable, schema }: JobField): void {
  const fail = (message: string, ...key: string[]): never => {
    throw new ContractError([...path, ...key], message);
  };
  const isNumber = (...keys: string[]) => keys.every((key) => typeof schema[key] === 'number');
  const items = isObject(schema.items) ? schema.items : {};
  if ((kind === 'text' || kind === 'html') && !isNumber('maxLength')) fail('needs maxLength');
  if (kind === 'list' && (items.type !== 'string' || typeof items.maxLength !== 'number'))
    fail('needs items of type string with maxLength', 'items');
  if (kind === 'list' && !isNumber('maxItems')) fail('needs maxItems');
  if ((kind === 'integer' || kind === 'decimal') && !isNumber('minimum', 'maximum')) fail('needs minimum and maximum');
  if (kind === 'decimal' && !isNumber('x-decimals')) fail('needs x-decimals');
  if (kind === 'boolean' && !nullable && !required && schema['x-default'] === undefined) fail('needs x-default');
  if (kind !== 'boolean' && !required && !nullable) fail('an optional field needs nullable: true');
  if (kind === 'enum' && nullable !== (schema.enum as Json[]).includes(null))
    fail('a nullable enum lists null, and only a nullable one does', 'enum');
}

/** The name of an enumerated field's values in `Options`: `work_modality` has `work_modalities`. */
export const optionsNameOf = ({ name }: JobField): string => name.replace(/([^aeiou])y$/, '$1ie').concat('s');

/** The values of an enumerated field, without the null of a nullable one. */
export const acceptedValues = ({ schema }: JobField): string[] =>
  (Array.isArray(schema.enum) ? schema.enum : []).flatMap((value) => (typeof value === 'string' ? [value] : []));

/** A decimal is returned as a string, so that no digit is lost; the extensions `x-returned-...` name what else differs. */
export function returnedSchema({ kind, schema }: JobField): JsonObject {
  const { 'x-returned-nullable': nullable, 'x-returned-description': description, ...same } = schema;
  const differences = {
    ...(nullable !== undefined && { nullable }),
    ...(description !== undefined && { description }),
  };
  if (kind !== 'decimal') return { ...same, ...differences };
  const digits = String(Math.trunc(Number(schema.maximum))).length;
  return {
    type: 'string',
    pattern: `^\\d{1,${digits}}\\.\\d{${schema['x-decimals']}}$`,
    nullable: schema.nullable === true,
    description: schema.description as Json,
    ...differences,
  };
}

/** Whether a job may have no value: a boolean has its default, others what is returned. */
export const isNullableColumn = (field: JobField): boolean =>
  (field.kind === 'boolean' ? field.schema : returnedSchema(field)).nullable === true;

/** Whether an integer needs 64 bits. */
export const isLong = ({ kind, schema }: JobField): boolean =>
  kind === 'integer' &&
  !('x-references' in schema) &&
  (Number(schema.maximum) > 2_147_483_647 || Number(schema.minimum) < -2_147_483_648);

/** What the service needs of each field besides validation; the rest of a field's schema is validated by the contract. */
const kept = ['maxLength'].concat(
  'x-default x-visible x-future x-https x-max-bytes x-decimals x-references x-required-when x-at-least'.split(' '),
);
const camelCase = (key: string): string => key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Text of job-fields.ts: the fields of a job as code, for queries, rules and pages. */
export function renderJobFields(document: JsonObject): string {
  const entries = jobFieldsOf(document).map((field) => [field.name, described(field)] as const);
  const lines = entries.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.

/** The writable fields of a job, in the order of the contract. */
export const jobFields = {
${lines.join('\n')}
} as const;
`;
}

function described(field: JobField): object {
  const { kind, label, required, nullable, schema } = field;
  const rules = kept.filter((key) => key in schema).map((key) => [camelCase(key.replace(/^x-/, '')), schema[key]]);
  const values = kind === 'enum' && { options: optionsNameOf(field), values: acceptedValues(field) };
  return {
    kind,
    label,
    required,
    nullable,
    ...(isLong(field) && { long: true }),
    ...values,
    ...Object.fromEntries(rules),
  };
}
