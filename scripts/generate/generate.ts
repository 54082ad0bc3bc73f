import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { hasOwnOperations } from '../../src/domain/own-operations.ts';
import { checkContract } from './check-contract.ts';
import { checkKeywords } from './check-keywords.ts';
import { completeContract, deletedFromExamples } from './complete-contract.ts';
import {
  ContractError,
  contractMistake,
  dereference,
  isObject,
  type Json,
  type JsonObject,
  operationsOf,
  readDocument,
  subjectOf,
} from './document.ts';
import { checkPatterns } from './patterns.ts';
import { renderProducts } from './products.ts';
import {
  generatedMark,
  type Replaced,
  renameHint,
  replace,
  type Uncommitted,
  uncommittedMigrations,
} from './replaced.ts';
import { checkSpelling } from './spelling.ts';
import { renderFunctions, renderModels } from './stored-columns.ts';
import { isNullableColumn, type StoredField, storedSchemasOf } from './stored-fields.ts';
import { keepsValues, rowsThatBreak } from './stored-rows.ts';
import { toolNotices } from './tools.ts';
import { writeInPlace } from './write-in-place.ts';

// Makes everything that follows from openapi.yaml. The files of this folder:
//
//   document         reads the contract, and finds the place of a mistake in it
//   spelling         refuses YAML that its parsers read differently, and writes YAML that they read alike
//   stored-fields    the fields of what is stored, such as a job; everything below follows from them
//   complete-contract  derives parts of the contract from other parts of it, such as the fields of JobPatch from those of JobInput
//   write-in-place   writes these derived parts into openapi.yaml, and keeps what people wrote
//   keywords         every keyword that the contract may have, and what reads it; check-keywords refuses all others at their place
//   check-contract   refuses missing and duplicate parts of operations, and examples that do not fit their schemas
//   check-stored     refuses a stored resource whose operations the service would not find
//   patterns         refuses new patterns that take more than linear time
//   products         the files of generated/: types, validation, tools, typed client, API reference, operations
//   stored-names     refuses a name of a table or a model that the service, its database or Prisma has
//   stored-columns   the models in prisma/schema.prisma, and the columns in prisma/functions.sql
//   stored-rows      the SQL that finds stored rows which a narrower field would not accept
//   migration        the SQL that leads from prisma/migrations to the schema
//   replaced         the migrations that no commit has, which are made anew; follow updates a database that has applied them

/** `root` has openapi.yaml, generated/ and prisma/. `isRepeated`: this process will generate again. */
type Options = { readonly root: string; readonly allowDataLoss?: boolean; readonly isRepeated?: boolean };

/**
 * Writes all files and returns the changes, one line each. Makes all texts before it writes the first one, and writes each beside its file
 * before renaming it: a failure leaves everything unchanged. If somebody saves an input meanwhile, starts again with the saved text. Throws an
 * Error with a message for the developer.
 */
export async function generate(options: Options): Promise<string> {
  const { root, allowDataLoss = false, isRepeated = false } = options;
  const earlier = uncommittedMigrations(root);
  const derived = await derivedTexts(root, earlier);
  const { read, texts, notes } = derived;
  const changed = differing(root, texts);
  let replaced: Replaced | undefined;
  if (changed.includes(schemaFile)) {
    const { sql, losses, from, onward, ...made } = await makeMigration(derived, earlier, isRepeated);
    if (losses.length > 0 && !allowDataLoss)
      throw new Error(
        `the migration would lose data; repeat with --allow-data-loss if you want that:\n${losses.join('\n')}${renameHint(sql)}`,
      );
    const parts = made.parts.map((part) => ({ ...part, sql: generatedMark + part.sql }));
    if (from) replaced = { from, to: parts, onward };
    const inPlace = from ? `, in place of ${from.map(({ folder }) => folder).join(' and ')}` : '';
    // Writes the migrations before the schema, in their order: if only the schema were written, no later run would make them.
    for (const part of parts.toReversed()) {
      const file = `prisma/migrations/${part.folder}/migration.sql`;
      texts.set(file, part.sql);
      changed.unshift(file);
      notes.push(`migration: ${dirname(file)}${inPlace}${losses.length > 0 ? ' (loses data)' : ''}`);
    }
    if (parts.length === 0 && inPlace) notes.push(`no migration${inPlace}`);
  }
  // Nothing may be awaited from here on: an edit saved meanwhile would be lost when the new files are renamed.
  for (const file of changed) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, `${file}.new`), texts.get(file) ?? '');
  }
  const saved = replaceAll(root, changed, read, replaced);
  if (saved.length > 0) return `saved meanwhile, so read again: ${saved.join(', ')}\n${await generate(options)}`;
  if (changed.includes(toolsFile)) notes.push(...toolNotices(texts.get(toolsFile) ?? '[]'));
  if (notes.length > 0) return notes.join('\n');
  return changed.length > 0 ? `written anew: ${changed.join(', ')}` : 'nothing to do';
}

/** Makes the migration that leads to the schema in `texts`. It may replace earlier, uncommitted migrations. Returns no parts if none is needed. */
async function makeMigration({ read, texts, notes }: Derived, earlier: Uncommitted | undefined, isRepeated: boolean) {
  // Imported only when needed, because the schema engine takes a second to load.
  const { migrationTo, remadeMigration, separateKeys } = await import('./migration.ts');
  const partsOf = (made: Parameters<typeof separateKeys>[0]) => (made.sql ? separateKeys(made) : []);
  const text = (file: string) => texts.get(file) ?? '';
  const to = (name: string) => ({
    schema: text(schemaFile),
    name,
    now: new Date(),
    functions: text(functionsFile),
    keep: isRepeated,
  });
  if (earlier) {
    const name = migrationName(changesBetween(JSON.parse(earlier.contract), JSON.parse(text(lastFile))));
    const remade = await remadeMigration(earlier.migrations, read.get(schemaFile) ?? '', to(name));
    if (remade) return { ...remade, parts: partsOf(remade) };
  }
  const migration = (await migrationTo(to(migrationName(notes)))) ?? { folder: '', sql: '', losses: [] };
  return { ...migration, parts: partsOf(migration), from: undefined, onward: '' };
}

/** Renames each new file into its place. If an input has changed since it was read, stops and returns the changed inputs. */
function replaceAll(
  root: string,
  files: readonly string[],
  read: ReadonlyMap<string, string | undefined>,
  replaced: Replaced | undefined,
): string[] {
  const saved = differing(root, read);
  // Removes the replaced migrations first, because two migrations that add the same column would fail.
  if (saved.length === 0 && replaced) replace(root, replaced);
  for (const [at, file] of files.entries()) {
    if (read.has(file) && textOf(join(root, file)) !== read.get(file)) saved.push(file);
    if (saved.length > 0) {
      for (const left of files.slice(at)) {
        rmSync(join(root, `${left}.new`));
        // An empty folder would be taken for a migration, and reading it would fail.
        if (readdirSync(dirname(join(root, left))).length === 0) rmdirSync(dirname(join(root, left)));
      }
      return [...new Set(saved)];
    }
    renameSync(join(root, `${file}.new`), join(root, file));
  }
  return saved;
}

/** Loads the schema engine and opens the migrated database, so that `npm run dev` need not wait for them at its first migration. */
export async function prepareMigrations(root: string): Promise<void> {
  const { currentSchema, migrationTo, remadeMigration } = await import('./migration.ts');
  const to = { schema: await currentSchema(), name: 'none', now: new Date(), keep: true };
  const { migrations = [] } = uncommittedMigrations(root) ?? {};
  if (!(await remadeMigration(migrations, to.schema, to))) await migrationTo(to);
}

const schemaFile = 'prisma/schema.prisma';
const functionsFile = 'prisma/functions.sql';
const toolsFile = 'generated/mcp-tools.json';
const lastFile = 'generated/openapi.json';

type Derived = Awaited<ReturnType<typeof derivedTexts>>;

/** Returns the texts of all derived files, the differences from the contract of the last run, and the inputs as they were read. */
export async function derivedTexts(root: string, earlier?: Uncommitted) {
  const inputs = ['openapi.yaml', schemaFile, functionsFile, lastFile];
  const read = new Map(inputs.map((file) => [file, textOf(join(root, file))]));
  const [written = '', schema = '', functions = '', last] = inputs.map((file) => read.get(file));
  for (const { folder, sql } of earlier?.migrations ?? []) read.set(`prisma/migrations/${folder}/migration.sql`, sql);
  return { read, ...(await derive(written, schema, functions, last, earlier?.contract)) };
}

/** Derives the texts and the differences from openapi.yaml, schema.prisma, functions.sql, and the last and the committed openapi.json. */
export async function derive(written: string, schema: string, functions: string, json?: string, committed?: string) {
  try {
    const last = json === undefined ? undefined : (JSON.parse(json) as JsonObject);
    checkSpelling(written);
    const edited = readDocument(written);
    checkKeywords(edited);
    const document = completeContract(edited, last);
    // What is written must pass the next run.
    checkKeywords(document);
    if (last) refuseImpossibleFields(last, document);
    if (committed) refuseImpossibleFields(JSON.parse(committed), document);
    const models = renderModels(schema, document);
    checkContract(document);
    await checkPatterns(edited, last);
    const products = await renderProducts(document);
    // After all checks: this parses a second text, and a refusal would have to parse the first one again to find its line.
    const texts = new Map([
      [schemaFile, models],
      ['openapi.yaml', writeInPlace(written, document)],
    ]);
    for (const [name, text] of products) texts.set(`generated/${name}`, text);
    texts.set(functionsFile, renderFunctions(functions, document));
    const notes = last
      ? [
          ...changesBetween(last, document),
          ...keptTables(last, document),
          ...rowsThatBreak(last, document),
          ...deletedFromExamples(edited, document),
          ...undoneEdits(edited, document, last),
        ]
      : [];
    return { texts, notes };
  } catch (error) {
    throw new Error(contractMistake(written, error));
  }
}

/** The places that somebody has edited, such as deleted, and that are as before again, because they follow from other places. */
function undoneEdits(
  edited: Json | undefined,
  now: Json | undefined,
  last: Json | undefined,
  path: string[] = [],
): string[] {
  if (isDeepStrictEqual(edited, now)) return [];
  if (isObject(edited) && isObject(now) && isObject(last))
    return Object.keys({ ...edited, ...now }).flatMap((key) =>
      undoneEdits(edited[key], now[key], last[key], [...path, key]),
    );
  return isDeepStrictEqual(now, last) ? [`written again: ${subjectOf(path)}`] : [];
}

/** The text of a file. Undefined if there is no such file. */
const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** Returns the files whose text on disk differs from `texts`. */
const differing = (root: string, texts: ReadonlyMap<string, string | undefined>): string[] =>
  [...texts].flatMap(([file, text]) => (textOf(join(root, file)) === text ? [] : [file]));

/** The fields of all stored schemas that `other` has too, by name. A table without operations of its own precedes it, as in `places.title`. */
function fieldsOf(document: JsonObject, other: JsonObject): Map<string, StoredField> {
  const tables = new Set(storedSchemasOf(other).map(({ table }) => table));
  return new Map(
    storedSchemasOf(document).flatMap(({ table, fields }) =>
      tables.has(table)
        ? fields.map((field) => [hasOwnOperations(table) ? field.name : `${table}.${field.name}`, field] as const)
        : [],
    ),
  );
}

/** Throws a ContractError for a field to which the existing rows of its table would give no value, or one that is not what is published. */
function refuseImpossibleFields(last: JsonObject, document: JsonObject): void {
  const tables = new Map(storedSchemasOf(last).map(({ table, fields }) => [table, fields]));
  for (const { table, fields } of storedSchemasOf(document)) {
    const known = tables.get(table);
    if (!known) continue;
    for (const field of fields) {
      const before = known.find(({ name }) => name === field.name);
      const kept = before && keepsValues(before, field) ? before : undefined;
      // Once a field is required, its maintainer may fill the rows from before, and then leave x-returned-nullable out.
      if ((!kept || kept.nullable) && !isNullableColumn(field) && field.kind !== 'boolean')
        throw new ContractError(
          field.path,
          `${table} from before ${before && !kept ? 'the field had this type' : 'the field was required'} may have no value for it: add x-returned-nullable: true`,
        );
      if (field.kind === 'html' && kept && kept.kind !== 'html')
        throw new ContractError(
          [...field.path, 'x-html'],
          `texts of ${table} from before are not sanitized: leave it out, and add another field for HTML`,
        );
    }
  }
}

/** The differences between two contracts, one line each: fields, operations, tools. A removed resource keeps its table, and so its fields. */
function changesBetween(older: JsonObject, newer: JsonObject): string[] {
  const [before, after] = [partsOf(older, newer), partsOf(newer)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((part) => {
    const [old, now] = [before.get(part), after.get(part)];
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return old === now ? [] : [part.replace(' ', ` ${change}: `)];
  });
}

/** The parts of a document. Of its fields, those of the tables that `other` has too. */
function partsOf(document: JsonObject, other = document): Map<string, string> {
  const parts = new Map<string, unknown>();
  for (const [name, { schema }] of fieldsOf(document, other)) parts.set(`field ${name}`, schema);
  const operations = operationsOf(dereference(document));
  for (const { operationId, operation } of operations) {
    const { 'x-mcp': _tool, requestBody: _body, responses, ...rest } = operation;
    parts.set(`operation ${operationId}`, { ...rest, statuses: Object.keys(responses ?? {}) });
  }
  for (const { operationId, operation } of operations)
    if (isObject(operation['x-mcp'])) parts.set(`tool ${operationId}`, { ...operation['x-mcp'], response: undefined });
  return new Map([...parts].map(([part, value]) => [part, JSON.stringify(value)]));
}

/** For each removed resource, says that its table is left. */
function keptTables(older: JsonObject, newer: JsonObject): string[] {
  const left = new Set(storedSchemasOf(newer).map(({ table }) => table));
  const said = 'of schema.prisma stay: see "Remove a resource" in src/contract/README.md';
  return storedSchemasOf(older).flatMap(({ table, name }) =>
    left.has(table) ? [] : [`the table ${table} and the model ${name} ${said}`],
  );
}

/** The name of the migration: add_shift_pattern_openings, remove_remote_policy. Cut to 60 characters. */
function migrationName(notes: readonly string[]): string {
  const found = ['add', 'remove', 'change'].map(
    (verb) => [verb, notes.flatMap((note) => fieldIn(note, verb))] as const,
  );
  const names = found.flatMap(([verb, fields]) => (fields.length > 0 ? [verb, ...fields] : []));
  return (names.join('_') || 'change_fields').slice(0, 60).replace(/_$/, '');
}
const fieldIn = (note: string, verb: string) =>
  new RegExp(`^field ${verb}e?d: ([\\w.]+)`)
    .exec(note)
    ?.slice(1)
    .map((name) => name.replace('.', '_')) ?? [];

/** The entries of generated/ that are not committed. */
const notCommitted = new Set(['prisma', 'renderer']);

/** The differences between openapi.yaml and the derived files, one line each. */
export async function generatedFaults(root: string): Promise<string[]> {
  const { texts } = await derivedTexts(root);
  const present = readdirSync(join(root, 'generated')).filter((name) => !notCommitted.has(name));
  const surplus = present.map((name) => `generated/${name}`).filter((file) => !texts.has(file));
  return [
    ...surplus.map((file) => `${file} is surplus`),
    ...differing(root, texts).map((file) => `${file} ${existsSync(join(root, file)) ? 'differs' : 'is missing'}`),
  ];
}
