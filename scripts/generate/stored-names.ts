import { camelCase } from '../../src/domain/camel-case.ts';
import { ContractError } from './document.ts';
import { nounOf, type StoredSchema } from './stored-fields.ts';

/**
 * The names of the service's own commands and pages, of details in its audit trail, and of what its commands and exports print beside rows. They
 * are taken, because a stored resource has a command, pages and rows of its name.
 */
const ownWords =
  `access account activity admin audit category company credential credentials days district doctor export fields find help job jobs keys language
  lastPage leftOutNodes maintenance move near next page people person plan request requests sandbox searched searchedFrom seed serverJson session
  setPassword signIn signOut total user version`.split(/\s+/);
/** The names of Prisma's types and of its client. */
const prismaNames = 'BigInt Boolean Bytes DateTime Decimal Float Int Json Prisma PrismaClient String Unsupported'.split(
  ' ',
);

/** The end of a name that PostgreSQL or Prisma gives to an index or a sequence of a table. */
const partEnd = /_(pkey|key|idx|seq)$/;
const isPartOf = (name: string, table: string): boolean => name.startsWith(`${table}_`) && partEnd.test(name);

/** The name and the table of a model in schema.prisma are one fact: neither changes without the other. */
export interface Model {
  readonly name: string;
  readonly table: string;
  readonly text: string;
}

export const modelsIn = (schema: string): Model[] =>
  [...schema.matchAll(/^model (\w+) \{$.*?^ {2}@@map\("(\w+)"\)$.*?^\}$/gms)].map(([text, name = '', table = '']) => ({
    text,
    name,
    table,
  }));

/**
 * Throws a ContractError if the model or the table of a new stored schema has a name that is taken: by schema.prisma, where models and enums
 * have names of their own and in the database, and Company has a field for each table; by parts of tables; or by commands and pages.
 */
export function checkNames(schema: string, { name, table, path }: StoredSchema): void {
  const [ofSchema, ofTable] = [path.slice(0, -1), [...path.slice(0, -1), 'x-stored']];
  const fail = (place: readonly string[], said: string): never => {
    throw new ContractError(place, `${said} itself; write another name`);
  };
  const found = (pattern: RegExp, text = schema) => [...text.matchAll(pattern)].map(([, one = '']) => one);
  const company = modelsIn(schema).find((model) => model.table === 'companies')?.text;
  const stored = found(/^ {2}@@map\("(\w+)"\)$/gm);
  const [noun, relation] = [nounOf(name), table].map(camelCase);
  const models = [...prismaNames, ...found(/^(?:model|enum) (\w+) /gm)];
  if (ownWords.includes(noun ?? '') || models.includes(name)) fail(ofSchema, `the service has a ${name}`);
  const own = [...ownWords, ...found(/^ {2}(\w+) /gm, company)];
  if (stored.includes(table) || own.includes(relation ?? '') || (relation ?? '') in {})
    fail(ofTable, `the service has a ${table}`);
  const owner = stored.find((other) => isPartOf(table, other));
  if (owner) fail(ofTable, `${table} names a part of the table ${owner}`);
  const part = stored.find((other) => isPartOf(other, table));
  if (part) fail(ofTable, `${part} would name a part of the table ${table}`);
  // The database finds these before the tables of a schema.
  if (/^(pg|citus)_/.test(table)) fail(ofTable, 'names that begin with pg_ or citus_ are those of the database');
}
