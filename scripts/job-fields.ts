import { asObject, ContractError, dereference, isObject, type Json, type JsonObject } from './generate-document.ts';

/** How a field is stored and checked. */
export type JobFieldKind = 'text' | 'html' | 'enum' | 'integer' | 'decimal' | 'boolean' | 'date' | 'list';

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

/** The extensions of a job field, and the type of each value; README lists what they mean. */
const extensions: Readonly<Record<string, string>> = {
  'x-label': 'string',
  'x-options': 'string',
  'x-html': 'boolean',
  'x-visible': 'boolean',
  'x-future': 'boolean',
  'x-https': 'boolean',
  'x-max-bytes': 'number',
  'x-decimals': 'number',
  'x-references': 'string',
  'x-required-when': 'object',
  'x-at-least': 'string',
  'x-returned': 'object',
};

export const fieldExtensions = Object.keys(extensions);

/** The writable fields of a job, in the order of the contract. Throws a ContractError. */
export function jobFieldsOf(document: JsonObject): JobField[] {
  const input = asObject(
    asObject(asObject(dereference(document).components, 'components').schemas, 'schemas').JobInput,
    'JobInput',
  );
  const required = Array.isArray(input.required) ? input.required : [];
  return Object.entries(asObject(input.properties, 'JobInput.properties')).map(([name, value]) => {
    const path = [...jobFieldsPath, name];
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
      throw new ContractError(path, `the name of a job field is lower case words with underscores, not ${name}`);
    const schema = asObject(value, name);
    checkExtensions(path, schema);
    const field = {
      name,
      kind: kindOf(path, schema),
      required: required.includes(name),
      nullable: schema.nullable === true,
      label: typeof schema['x-label'] === 'string' ? schema['x-label'] : labelOf(name),
      schema,
    };
    checkField(path, field);
    return field;
  });
}

function checkExtensions(path: readonly string[], schema: JsonObject): void {
  for (const [key, value] of Object.entries(schema)) {
    if (!key.startsWith('x-')) continue;
    const type = extensions[key];
    if (type === undefined)
      throw new ContractError([...path, key], `unknown extension; known are ${fieldExtensions.join(', ')}`);
    if (typeof value !== type) throw new ContractError([...path, key], `${key} must be of type ${type}`);
  }
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
  if ((kind === 'text' || kind === 'html') && typeof schema.maxLength !== 'number') fail('needs maxLength');
  if (kind === 'list') {
    const items = isObject(schema.items) ? schema.items : {};
    if (items.type !== 'string' || typeof items.maxLength !== 'number')
      fail('needs items of type string with maxLength', 'items');
    if (typeof schema.maxItems !== 'number') fail('needs maxItems');
  }
  if (kind === 'integer' || kind === 'decimal') {
    if (typeof schema.minimum !== 'number' || typeof schema.maximum !== 'number') fail('needs minimum and maximum');
    if (kind === 'decimal' && typeof schema['x-decimals'] !== 'number') fail('needs x-decimals');
  }
  if (kind === 'boolean' && !nullable && !required && schema.default === undefined) fail('needs default');
  if (kind !== 'boolean' && !required && !nullable) fail('an optional field needs nullable: true');
  if (kind === 'enum' && nullable !== (schema.enum as Json[]).includes(null))
    fail('a nullable enum lists null, and only a nullable one does', 'enum');
}

const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The name of an enumerated field's values in `Options`: `work_modality` has `work_modalities`. */
export const optionsNameOf = ({ name, schema }: JobField): string =>
  typeof schema['x-options'] === 'string' ? schema['x-options'] : name.replace(/([^aeiou])y$/, '$1ie').concat('s');

/** The values of an enumerated field, without the null of a nullable one. */
export const acceptedValues = ({ schema }: JobField): string[] =>
  (Array.isArray(schema.enum) ? schema.enum : []).flatMap((value) => (typeof value === 'string' ? [value] : []));
