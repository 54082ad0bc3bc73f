import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { checkKeywords } from './check-keywords.ts';
import { completeContract } from './complete-contract.ts';
import {
  ContractError,
  contractMistake,
  dereference,
  isObject,
  type JsonObject,
  operationsOf,
  readDocument,
} from './document.ts';
import { renderJobFunctions, renderJobModel } from './job-columns.ts';
import { isNullableColumn, jobFieldsOf, jobFieldsPath } from './job-fields.ts';
import { renderProducts } from './products.ts';
import { rowsThatBreak } from './stored-rows.ts';
import { toolNotices } from './tools.ts';
import { writeInPlace } from './write-in-place.ts';

// npm run generate [-- --allow-data-loss]: everything that follows from openapi.yaml. With --check it only compares.
//
//   document         reads the contract, and finds the place of a mistake in it
//   job-fields       the writable fields of a job; everything below follows from them
//   complete-contract  what follows in the contract from elsewhere in it, such as the fields of JobPatch from those of JobInput
//   write-in-place   that in openapi.yaml, beside what people wrote
//   keywords         every keyword that the contract may have, and what reads it; check-keywords refuses all others at their place
//   check-contract   refuses what operations lack or have in common, and examples that do not fit
//   products         the files of generated/: types, validation, tools, typed client, API reference, operations
//   job-columns      the columns in prisma/schema.prisma and in prisma/functions.sql
//   stored-rows      which stored jobs a narrower field would not accept
//   migration        what leads from prisma/migrations to the schema

/** `root` has openapi.yaml, generated/ and prisma/. */
type Options = { readonly root: string; readonly allowDataLoss?: boolean };

/**
 * Writes all files and returns the changes, one line each. Makes all texts before it writes the first one, and writes each beside its file
 * before renaming it: a failure leaves everything unchanged. Throws an Error with a message for the developer.
 */
export async function generate({ root, allowDataLoss = false }: Options): Promise<string> {
  const { texts, notes } = await derivedTexts(root);
  const changed = await differing(root, texts);
  if (changed.includes(schemaFile)) {
    // The schema engine takes a second to load.
    const { migrationTo } = await import('./migration.ts');
    const text = (file: string) => texts.get(file) ?? '';
    const migration = await migrationTo(text(schemaFile), migrationName(notes), new Date(), text(functionsFile));
    const { folder = '', sql = '', losses = [] } = migration ?? {};
    if (losses.length > 0 && !allowDataLoss)
      throw new Error(
        `the migration would lose data; repeat with --allow-data-loss if you want that:\n${losses.join('\n')}${renameHint(sql)}`,
      );
    if (migration) {
      const file = `prisma/migrations/${folder}/migration.sql`;
      texts.set(file, sql);
      // The migration first: if only the schema were written, no later run would make its migration.
      changed.unshift(file);
      notes.push(`migration: ${dirname(file)}${losses.length > 0 ? ' (loses data)' : ''}`);
    }
  }
  for (const file of changed) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, `${file}.new`), texts.get(file) ?? '');
  }
  for (const file of changed) await rename(join(root, `${file}.new`), join(root, file));
  if (changed.includes(toolsFile)) notes.push(...toolNotices(texts.get(toolsFile) ?? '[]'));
  if (notes.length > 0) return notes.join('\n');
  return changed.length > 0 ? `written anew: ${changed.join(', ')}` : 'nothing to do';
}

/** How to keep the data if a removed column and a new one are the same. */
function renameHint(sql: string): string {
  const [, gone] = /DROP COLUMN "(\w+)"/.exec(sql) ?? [];
  const [, added] = /ADD COLUMN +"(\w+)"/.exec(sql) ?? [];
  if (!gone || !added) return '';
  return `
If ${gone} is called ${added} now, add ${added} first, copy with UPDATE jobs SET "${added}" = "${gone}", and remove ${gone} in a later release.
Where no process of the version before runs meanwhile, repeat, and put in the place of both lines of the migration:
ALTER TABLE "jobs" RENAME COLUMN "${gone}" TO "${added}";`;
}

const schemaFile = 'prisma/schema.prisma';
const functionsFile = 'prisma/functions.sql';
const toolsFile = 'generated/mcp-tools.json';

/** The texts of all derived files, and the differences to the contract of the last run. */
export async function derivedTexts(root: string): Promise<{ texts: Map<string, string>; notes: string[] }> {
  const read = (file: string) => readFile(join(root, file), 'utf8');
  const last = await textOf(join(root, 'generated/openapi.json'));
  return derive(await read('openapi.yaml'), await read(schemaFile), await read(functionsFile), last);
}

/** The same, from the texts of openapi.yaml, schema.prisma, functions.sql and the last openapi.json. */
export async function derive(written: string, schema: string, functions: string, json?: string) {
  try {
    const last = json === undefined ? undefined : (JSON.parse(json) as JsonObject);
    const edited = readDocument(written);
    checkKeywords(edited);
    const document = completeContract(edited, last);
    if (last) refuseImpossibleFields(last, document);
    const texts = new Map([
      [schemaFile, renderJobModel(schema, document)],
      ['openapi.yaml', writeInPlace(written, document)],
    ]);
    for (const [name, text] of await renderProducts(document)) texts.set(`generated/${name}`, text);
    texts.set(functionsFile, renderJobFunctions(functions, document));
    return { texts, notes: last ? [...changesBetween(last, document), ...rowsThatBreak(last, document)] : [] };
  } catch (error) {
    throw new Error(contractMistake(written, error));
  }
}

/** Undefined if there is no such file. */
const textOf = async (path: string): Promise<string | undefined> =>
  existsSync(path) ? readFile(path, 'utf8') : undefined;

/** The files whose text differs. */
async function differing(root: string, texts: ReadonlyMap<string, string>): Promise<string[]> {
  const files: string[] = [];
  for (const [file, text] of texts) if ((await textOf(join(root, file))) !== text) files.push(file);
  return files;
}

/** Refuses a new field that earlier jobs cannot have. */
function refuseImpossibleFields(last: JsonObject, document: JsonObject): void {
  const known = jobFieldsOf(last).map(({ name }) => name);
  const impossible = jobFieldsOf(document).find(
    (field) => !known.includes(field.name) && !isNullableColumn(field) && field.kind !== 'boolean',
  );
  if (impossible)
    throw new ContractError(
      [...jobFieldsPath, impossible.name],
      'jobs from before a new required field have no value for it: add x-returned-nullable: true',
    );
}

/** The differences between two contracts, one line each: fields, operations, tools. */
function changesBetween(older: JsonObject, newer: JsonObject): string[] {
  const [before, after] = [partsOf(older), partsOf(newer)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((part) => {
    const [old, now] = [before.get(part), after.get(part)];
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return old === now ? [] : [part.replace(' ', ` ${change}: `)];
  });
}

function partsOf(document: JsonObject): Map<string, string> {
  const parts = new Map<string, unknown>();
  for (const { name, schema } of jobFieldsOf(document)) parts.set(`field ${name}`, schema);
  const operations = operationsOf(dereference(document));
  for (const { operationId, operation } of operations) {
    const { 'x-mcp': _tool, requestBody: _body, responses, ...rest } = operation;
    parts.set(`operation ${operationId}`, { ...rest, statuses: Object.keys(responses ?? {}) });
  }
  for (const { operationId, operation } of operations)
    if (isObject(operation['x-mcp'])) parts.set(`tool ${operationId}`, { ...operation['x-mcp'], response: undefined });
  return new Map([...parts].map(([part, value]) => [part, JSON.stringify(value)]));
}

/** The name of the migration: add_shift_pattern_openings, remove_remote_policy. Cut to the length that a file system accepts. */
function migrationName(notes: readonly string[]): string {
  const found = ['add', 'remove', 'change'].map(
    (verb) => [verb, notes.flatMap((note) => fieldIn(note, verb))] as const,
  );
  const names = found.flatMap(([verb, fields]) => (fields.length > 0 ? [verb, ...fields] : []));
  return (names.join('_') || 'change_job_fields').slice(0, 60).replace(/_$/, '');
}
const fieldIn = (note: string, verb: string) => new RegExp(`^field ${verb}e?d: (\\w+)`).exec(note)?.slice(1) ?? [];

/** Generated into the folder of the committed files, but not committed. */
const notCommitted = new Set(['prisma', 'renderer']);

/** The differences between openapi.yaml and the derived files, one line each. */
export async function generatedFaults(root: string): Promise<string[]> {
  const { texts } = await derivedTexts(root);
  const present = (await readdir(join(root, 'generated'))).filter((name) => !notCommitted.has(name));
  const surplus = present.map((name) => `generated/${name}`).filter((file) => !texts.has(file));
  return [
    ...surplus.map((file) => `${file} is surplus`),
    ...(await differing(root, texts)).map(
      (file) => `${file} ${existsSync(join(root, file)) ? 'differs' : 'is missing'}`,
    ),
  ];
}

async function check(root: string): Promise<string> {
  const faults = await generatedFaults(root);
  if (faults.length === 0) return 'generated/ and prisma/ agree with openapi.yaml';
  throw new Error(`${faults.join('\n')}\nRun \`npm run generate\` and commit the result.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { root: { type: 'string', default: packageRoot }, check: flag, 'allow-data-loss': flag } as const;
  const { values } = parseArgs({ options });
  const { root, 'allow-data-loss': allowDataLoss } = values;
  await (values.check ? check(root) : generate({ root, allowDataLoss })).then(console.log, (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
