import { camelCase } from '../../src/domain/camel-case.ts';
import { exportTag } from '../../src/domain/environment.ts';
import { hasOwnOperations } from '../../src/domain/own-operations.ts';
import { ContractError, type JsonObject } from './document.ts';
import {
  isLong,
  isNullableColumn,
  type StoredField,
  type StoredSchema,
  storedSchemasOf,
  wholeDigitsOf,
} from './stored-fields.ts';
import { checkNames, type Model, modelsIn } from './stored-names.ts';

/**
 * Names that a field must not have: PostgreSQL's columns of every table, properties of a returned job that are no columns, the name that
 * functions.sql gives a job, the names that errors give a whole query and a whole body, and that of the kind of an exported row.
 */
const reserved = `tableoid xmin cmin xmax cmax ctid company_name is_active job query request_body ${exportTag}`.split(
  ' ',
);

/** How the marks around the generated lines begin in schema.prisma. A model has each mark once. */
const modelMark = '// ';

/** Returns schema.prisma with a model for each stored schema, and the model's columns. Throws a ContractError for a taken name. */
export const renderModels = (schema: string, document: JsonObject): string =>
  storedSchemasOf(document).reduce(
    (text, stored) => renderModel(isKnown(text, stored) ? text : withModel(text, stored), stored),
    schema,
  );

/** Whether schema.prisma has the table's model. Throws a ContractError if the service or another stored schema has the table or the model. */
function isKnown(schema: string, { name, table, path }: StoredSchema): boolean {
  const [ofSchema, ofTable] = [path.slice(0, -1), [...path.slice(0, -1), 'x-stored']];
  const renamed = 'to rename it, see "Remove a resource" in src/contract/README.md';
  const isStored = ({ text }: Model) => text.includes(marksOf(modelMark, 'fields')[0]);
  const models = modelsIn(schema);
  const known = models.find((model) => model.table === table);
  if (known && !isStored(known))
    throw new ContractError(ofTable, `the service has a table ${table} itself; write another name`);
  if (known && known.name !== name)
    throw new ContractError(
      ofSchema,
      `the table ${table} is that of ${known.name}: write ${known.name}Input; ${renamed}`,
    );
  const earlier = !known && models.find((model) => model.name === name && isStored(model));
  if (earlier)
    throw new ContractError(ofTable, `${name} is in the table ${earlier.table}: write ${earlier.table}; ${renamed}`);
  return known !== undefined;
}

function renderModel(schema: string, { fields, table }: StoredSchema): string {
  const model = modelsIn(schema).find((one) => one.table === table)?.text ?? '';
  const write = (columns: string[]) => writeBetweenMarks(model, modelMark, 'fields', '\n', columns);
  const own = [...write([]).matchAll(/^ {2}(\w+) .*?(?:@map\("(\w+)"\).*)?$/gm)].flatMap(([, field, column]) => [
    field,
    column,
  ]);
  const taken = fields.find(
    ({ name }) => [...reserved, ...own].includes(name) || own.includes(camelCase(name)) || camelCase(name) in {},
  );
  if (taken) throw new ContractError(taken.path, 'the service uses this name itself');
  return schema.replace(model, () => write(fields.map(columnOf)));
}

/** Adds a new model to the schema. Its rows belong to companies, so that Citus can distribute them by company. */
function withModel(schema: string, stored: StoredSchema): string {
  checkNames(schema, stored);
  const { name, table } = stored;
  const [begin, end] = marksOf(modelMark, 'fields');
  const list = `  ${camelCase(table)} ${name}[]\n`;
  const model = `
model ${name} {
  companyId   BigInt      @map("company_id")
  environment Environment
  id          BigInt      @default(autoincrement())
  createdAt   DateTime    @map("created_at") @db.Timestamptz(3)
  updatedAt   DateTime    @map("updated_at") @db.Timestamptz(3)
  ${begin}  ${end}  company     Company     @relation(fields: [companyId], references: [id], onDelete: Cascade, onUpdate: NoAction)

  @@id([companyId, environment, id])
  @@map("${table}")
}
`;
  return schema
    .replace('\n  @@map("companies")', (mark) => `${list}${mark}`)
    .trimEnd()
    .concat('\n', model);
}

/** Returns functions.sql with the lines that name the fields of a job. Other tables have no functions. */
export function renderFunctions(sql: string, document: JsonObject): string {
  const fields = storedSchemasOf(document).find(({ table }) => hasOwnOperations(table))?.fields ?? [];
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

/** The marks: the lines before and after a generated part. */
const marksOf = (comment: string, part: string): readonly [begin: string, end: string] => [
  `${comment}The ${part} of the contract: written by \`npm run generate\`.\n`,
  `${comment}End of the ${part} of the contract.\n`,
];

/** Replaces the lines between the two marks of `part`. Throws unless each mark occurs once. */
function writeBetweenMarks(
  text: string,
  comment: string,
  part: string,
  separator: string,
  lines: readonly string[],
): string {
  const [begin, end] = marksOf(comment, part);
  const [before, rest, ...more] = text.split(begin);
  const [, after, ...evenMore] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined || more.length + evenMore.length > 0)
    throw new Error(`prisma/: these lines must be there once:\n${begin}${end}`);
  const indent = /[ ]*$/.exec(before)?.[0] ?? '';
  const written = lines.map((line) => indent + line).join(separator);
  return `${before}${begin}${written}\n${indent}${end}${after}`;
}

function columnOf(field: StoredField): string {
  const { name, kind, nullable, schema } = field;
  const camel = camelCase(name);
  const attributes = [
    kind === 'boolean' && !nullable && `@default(${schema['x-default']})`,
    camel !== name && `@map("${name}")`,
    kind === 'date' && '@db.Date',
    kind === 'decimal' && `@db.Decimal(${digitsOf(field)}, ${schema['x-decimals']})`,
  ];
  return [camel, `${columnTypeOf(field)}${isNullableColumn(field) ? '?' : ''}`, ...attributes.filter(Boolean)].join(
    ' ',
  );
}

// Lists and objects are JSON: Prisma cannot tell null from an empty PostgreSQL array.
const types: Readonly<Record<string, string>> = {
  boolean: 'Boolean',
  date: 'DateTime',
  list: 'Json',
  object: 'Json',
  decimal: 'Decimal',
};
/** The type of a field's column in schema.prisma. */
export const columnTypeOf = (field: StoredField): string =>
  field.kind === 'integer' ? (isLong(field) ? 'BigInt' : 'Int') : (types[field.kind] ?? 'String');

function digitsOf({ path, schema }: StoredField): number {
  const digits = wholeDigitsOf(schema) + Number(schema['x-decimals']);
  if (digits <= 15) return digits;
  throw new ContractError([...path, 'maximum'], 'has more digits than a JSON number');
}
