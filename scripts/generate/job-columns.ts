import { ContractError, type JsonObject } from './document.ts';
import {
  camelCase,
  isLong,
  isNullableColumn,
  type JobField,
  jobFieldsOf,
  jobFieldsPath,
  wholeDigitsOf,
} from './job-fields.ts';

/**
 * Names that a field must not have: PostgreSQL's columns of every table, properties of a returned job that are no columns, the name that
 * functions.sql gives a job, and the name that errors give a whole request.
 */
const reserved = 'tableoid xmin cmin xmax cmax ctid company_name is_active job query request_body'.split(' ');

/** The text of schema.prisma with the Job model's columns from the fields of the contract. Throws a ContractError for a taken name. */
export function renderJobModel(schema: string, document: JsonObject): string {
  const write = (columns: string[]) => writeBetweenMarks(schema, '// ', 'fields', '\n', columns);
  const fields = jobFieldsOf(document);
  const [model = ''] = /^model Job \{$.*?^\}$/ms.exec(write([])) ?? [];
  const own = [...model.matchAll(/^ {2}(\w+) .*?(?:@map\("(\w+)"\).*)?$/gm)].flatMap(([, field, column]) => [
    field,
    column,
  ]);
  const taken = fields.find(
    ({ name }) => [...reserved, ...own].includes(name) || own.includes(camelCase(name)) || camelCase(name) in {},
  );
  if (taken) throw new ContractError([...jobFieldsPath, taken.name], 'the service uses this name itself');
  return write(fields.map(columnOf));
}

/** The text of functions.sql with the lines that name the fields of a job. */
export function renderJobFunctions(sql: string, document: JsonObject): string {
  const fields = jobFieldsOf(document);
  const defaults = fields
    .filter((field) => field.kind === 'boolean' && !isNullableColumn(field))
    .map(({ name, schema }) => `made."${name}" := coalesce(made."${name}", ${schema['x-default']});`);
  const lines = (text: (name: string, key: string) => string) =>
    fields.map(({ name }) => text(`"${name}"`, `'${name}'`));
  const parts: readonly (readonly [part: string, separator: string, lines: readonly string[]])[] = [
    ['defaults', '\n', defaults],
    ['names', ',\n', lines(String)],
    ['values', ',\n', lines((name) => `made.${name}`)],
    [
      'fields',
      ',\n',
      lines((name, key) => `${name} = CASE WHEN sent ? ${key} THEN made.${name} ELSE stored.${name} END`),
    ],
  ];
  return parts.reduce((text, [part, ...written]) => writeBetweenMarks(text, '-- ', part, ...written), sql);
}

/** Replaces the lines between the two marks of `part`. Throws unless each mark occurs once. */
function writeBetweenMarks(
  text: string,
  comment: string,
  part: string,
  separator: string,
  lines: readonly string[],
): string {
  const begin = `${comment}The ${part} of the contract: written by \`npm run generate\`.\n`;
  const end = `${comment}End of the ${part} of the contract.\n`;
  const [before, rest, ...more] = text.split(begin);
  const [, after, ...evenMore] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined || more.length + evenMore.length > 0)
    throw new Error(`prisma/: these lines must be there once:\n${begin}${end}`);
  const indent = /[ ]*$/.exec(before)?.[0] ?? '';
  const written = lines.map((line) => indent + line).join(separator);
  return `${before}${begin}${written}\n${indent}${end}${after}`;
}

function columnOf(field: JobField): string {
  const { name, kind, nullable, schema } = field;
  const camel = camelCase(name);
  const attributes = [
    kind === 'boolean' && !nullable && `@default(${schema['x-default']})`,
    camel !== name && `@map("${name}")`,
    kind === 'date' && '@db.Date',
    kind === 'decimal' && `@db.Decimal(${digitsOf(field)}, ${schema['x-decimals']})`,
  ];
  return [camel, `${typeOf(field)}${isNullableColumn(field) ? '?' : ''}`, ...attributes.filter(Boolean)].join(' ');
}

// Lists and objects are JSON: Prisma cannot tell null from an empty PostgreSQL array.
const types: Readonly<Record<string, string>> = {
  boolean: 'Boolean',
  date: 'DateTime',
  list: 'Json',
  object: 'Json',
  decimal: 'Decimal',
};
const typeOf = (field: JobField): string =>
  field.kind === 'integer' ? (isLong(field) ? 'BigInt' : 'Int') : (types[field.kind] ?? 'String');

function digitsOf({ name, schema }: JobField): number {
  const digits = wholeDigitsOf(schema) + Number(schema['x-decimals']);
  if (digits <= 15) return digits;
  throw new ContractError([...jobFieldsPath, name, 'maximum'], 'has more digits than a JSON number');
}
