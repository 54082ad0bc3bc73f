import { ContractError, type JsonObject } from './document.ts';
import { isNullableColumn, type JobField, jobFieldsOf, jobFieldsPath } from './job-fields.ts';

const begin = '  // The fields of the contract: written by `npm run generate`.';
const end = '  // End of the fields of the contract.';

/** The text of schema.prisma with the Job model's columns as the fields of the contract ask for. */
export function renderJobModel(schema: string, document: JsonObject): string {
  const [before, rest] = split(schema, begin);
  const [, after] = split(rest, end);
  const columns = jobFieldsOf(document).map((field) => `  ${columnOf(field)}`);
  return [before, begin, '\n', columns.join('\n'), '\n', end, after].join('');
}

function split(text: string, mark: string): [before: string, after: string] {
  const [before, after, ...more] = text.split(mark);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`prisma/schema.prisma: the line must be there once: ${mark.trim()}`);
  return [before, after];
}

function columnOf(field: JobField): string {
  const { name, kind, nullable, schema } = field;
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { type, native } = columnType(field);
  const isOptional = isNullableColumn(field);
  const attributes = [
    kind === 'boolean' && !nullable && `@default(${schema['x-default']})`,
    camel !== name && `@map("${name}")`,
    native,
  ];
  return [camel, `${type}${isOptional ? '?' : ''}`, ...attributes.filter(Boolean)].join(' ');
}

function columnType({ name, kind, schema }: JobField): { type: string; native?: string } {
  if (kind === 'boolean') return { type: 'Boolean' };
  if (kind === 'date') return { type: 'DateTime', native: '@db.Date' };
  // A list is JSON: Prisma cannot tell null from an empty PostgreSQL array.
  if (kind === 'list') return { type: 'Json' };
  if (kind === 'integer') {
    const isLong = Number(schema.maximum) > 2_147_483_647 || Number(schema.minimum) < -2_147_483_648;
    return { type: isLong && !('x-references' in schema) ? 'BigInt' : 'Int' };
  }
  if (kind === 'decimal') {
    const decimals = Number(schema['x-decimals']);
    const digits = String(Math.trunc(Number(schema.maximum))).length + decimals;
    if (digits > 15) throw new ContractError([...jobFieldsPath, name, 'maximum'], 'has more digits than a JSON number');
    return { type: 'Decimal', native: `@db.Decimal(${digits}, ${decimals})` };
  }
  return { type: 'String' };
}
