import { existsSync, watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import {
  ContractError,
  contractMistake,
  dereference,
  type JsonObject,
  operationsOf,
  readDocument,
} from './document.ts';
import { expandContract, withoutDanglingAliases } from './expand-contract.ts';
import { isNullableColumn, jobFieldsOf, jobFieldsPath } from './job-fields.ts';
import { renderJobFunctions } from './job-functions.ts';
import { renderJobModel } from './job-model.ts';
import { renderProducts } from './products.ts';

// npm run generate [-- --watch] [-- --allow-data-loss]: everything that follows from openapi.yaml. With --check it only
// compares generated/ and prisma/functions.sql.
//
//   document         reads the contract, and finds the place of a mistake in it
//   job-fields       the writable fields of a job; everything below follows from them
//   expand-contract  writes out in openapi.yaml what follows from its JobInput
//   check-contract   refuses what no tool below would notice in time
//   products         the files of generated/: types, validation, tools, typed client, API reference, operations
//   job-model        the columns in prisma/schema.prisma, and job-functions those in prisma/functions.sql
//   migration        what leads from prisma/migrations to the schema

interface GenerateOptions {
  /** Where openapi.yaml, generated/ and prisma/ are. */
  readonly root: string;
  /** Leaves the database's schema as it is. */
  readonly contractOnly?: boolean;
  readonly allowDataLoss?: boolean;
}

/**
 * Writes all files and returns what changed, a line each. All texts are made before the first is written, and each is written
 * beside its file and then renamed: a failure leaves everything as it was. Throws an Error whose message is for the developer.
 */
export async function generate(options: GenerateOptions): Promise<string> {
  const { root, contractOnly = false } = options;
  const written = await readFile(join(root, 'openapi.yaml'), 'utf8');
  const { files, notes } = await derivedFiles(written, options).catch((error: unknown) => {
    throw new Error(contractMistake(written, error));
  });
  const changed = await writeAll(files);
  if (!contractOnly) await generateClient(root, changed);
  if (notes.length > 0) return notes.join('\n');
  return changed.length > 0 ? 'generated/ is written anew' : 'nothing to do';
}

/** The texts of all files that follow from openapi.yaml, itself among them, and what is different from the published contract. */
async function derivedFiles(written: string, options: GenerateOptions) {
  const { root, contractOnly = false } = options;
  const published = await readFile(join(root, 'generated', 'openapi.json'), 'utf8').then(
    (json): JsonObject => JSON.parse(json),
    () => undefined,
  );
  const source = withoutDanglingAliases(written);
  const yaml = expandContract(source, published && removedFields(published, readDocument(source)));
  const document = readDocument(yaml);
  const products = await renderProducts(yaml);
  const files = new Map([[join(root, 'openapi.yaml'), yaml]]);
  for (const [name, text] of products) files.set(join(root, 'generated', name), text);
  const notes = published ? changesBetween(published, document) : [];
  if (contractOnly) return { files, notes };
  const schemaFile = join(root, 'prisma', 'schema.prisma');
  const before = await readFile(schemaFile, 'utf8');
  const schema = renderJobModel(before, document);
  files.set(schemaFile, schema);
  const functionsFile = join(root, 'prisma', 'functions.sql');
  files.set(functionsFile, renderJobFunctions(await readFile(functionsFile, 'utf8'), document));
  if (schema !== before) notes.push(...(await addMigration(files, schema, notes, options)));
  return { files, notes };
}

/** The fields of the published contract that this one has no more. Refuses a new one that jobs from before cannot have. */
function removedFields(published: JsonObject, document: JsonObject): string[] {
  const known = jobFieldsOf(published).map(({ name }) => name);
  const fields = jobFieldsOf(document);
  const impossible = fields.find(
    (field) => !known.includes(field.name) && !isNullableColumn(field) && field.kind !== 'boolean',
  );
  if (impossible)
    throw new ContractError(
      [...jobFieldsPath, impossible.name],
      'jobs from before a new required field have no value for it: add x-returned: { nullable: true }',
    );
  return known.filter((name) => !fields.some((field) => field.name === name));
}

/** What is different between two contracts, a line each: fields, operations, tools. */
function changesBetween(older: JsonObject, newer: JsonObject): string[] {
  const [before, after] = [partsOf(older), partsOf(newer)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((part) => {
    const [old, now] = [before.get(part), after.get(part)];
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return old === now ? [] : [part.replace(' ', ` ${change}: `)];
  });
}

function partsOf(document: JsonObject): Map<string, string> {
  const operations = operationsOf(dereference(document));
  const parts: [part: string, value: unknown][] = [
    ...jobFieldsOf(document).map(({ name, schema }): [string, unknown] => [`field ${name}`, schema]),
    ...operations.map(({ operationId, operation }): [string, unknown] => {
      const { 'x-mcp': _tool, requestBody: _body, responses, ...rest } = operation;
      return [`operation ${operationId}`, { ...rest, statuses: Object.keys(responses ?? {}) }];
    }),
    ...operations.map(({ operationId, operation }): [string, unknown] => [`tool ${operationId}`, operation['x-mcp']]),
  ];
  return new Map(parts.flatMap(([part, value]) => (value === undefined ? [] : [[part, JSON.stringify(value)]])));
}

/** Adds a migration that is named after the fields. */
async function addMigration(
  files: Map<string, string>,
  schema: string,
  notes: readonly string[],
  { root, allowDataLoss = false }: GenerateOptions,
): Promise<string[]> {
  // The schema engine takes a second to load.
  const { migrationTo } = await import('./migration.ts');
  const migration = await migrationTo(schema, migrationName(notes), new Date());
  if (!migration) return [];
  const { folder, sql, losses } = migration;
  if (losses.length > 0 && !allowDataLoss)
    throw new Error(
      `the migration would lose data; repeat with --allow-data-loss if you want that:\n${losses.join('\n')}`,
    );
  files.set(join(root, 'prisma/migrations', folder, 'migration.sql'), sql);
  return [`migration: prisma/migrations/${folder}${losses.length > 0 ? ' (loses data)' : ''}`];
}

/** add_shift_pattern_openings, remove_remote_policy: at most so long that a file system takes it. */
function migrationName(notes: readonly string[]): string {
  const changes = notes.flatMap((note) => [...note.matchAll(/^field (add|remove|change)e?d: (\w+)/g)]);
  const names = ['add', 'remove', 'change'].flatMap((verb) => {
    const fields = changes.filter(([, done]) => done === verb).map(([, , field]) => field);
    return fields.length > 0 ? [verb, ...fields] : [];
  });
  return (names.join('_') || 'change_job_fields').slice(0, 60).replace(/_$/, '');
}

async function writeAll(files: ReadonlyMap<string, string>): Promise<string[]> {
  const changed: string[] = [];
  for (const [path, text] of files) if ((await textOf(path)) !== text) changed.push(path);
  for (const path of changed) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, files.get(path) ?? '');
  }
  for (const path of changed) await rename(`${path}.new`, path);
  return changed;
}

/** Undefined where there is no such file. */
const textOf = async (path: string): Promise<string | undefined> =>
  existsSync(path) ? readFile(path, 'utf8') : undefined;

async function generateClient(root: string, changed: readonly string[]): Promise<void> {
  const isCurrent = existsSync(join(root, 'generated', 'prisma', 'client.ts'));
  if (isCurrent && !changed.some((path) => path.endsWith('schema.prisma'))) return;
  const { generatePrisma } = await import('./prisma-client.ts');
  await generatePrisma();
}

/** In the folder of the committed files, but not committed. */
const notCommitted = new Set(['prisma', 'renderer']);

/** What differs between openapi.yaml and what follows from it, a line each. */
export async function generatedFaults(root: string): Promise<string[]> {
  const folder = join(root, 'generated');
  const yaml = await readFile(join(root, 'openapi.yaml'), 'utf8');
  const expected = await renderProducts(yaml);
  const present = (await readdir(folder)).filter((name) => !notCommitted.has(name));
  const faults = present.filter((name) => !expected.has(name)).map((name) => `generated/${name} is surplus`);
  for (const [name, text] of expected) {
    const found = await textOf(join(folder, name));
    if (found !== text) faults.push(`generated/${name} ${found === undefined ? 'is missing' : 'differs'}`);
  }
  const functions = await readFile(join(root, 'prisma', 'functions.sql'), 'utf8');
  if (renderJobFunctions(functions, readDocument(yaml)) !== functions) faults.push('prisma/functions.sql differs');
  return faults;
}

async function check(root: string): Promise<string> {
  const faults = await generatedFaults(root);
  if (faults.length === 0) return 'generated/ and prisma/functions.sql agree with openapi.yaml';
  throw new Error(`${faults.join('\n')}\nRun \`npm run generate\` and commit the result.`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: packageRoot },
      check: { type: 'boolean', default: false },
      'contract-only': { type: 'boolean', default: false },
      'allow-data-loss': { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  });
  const { root, watch: watching } = values;
  const options = { root, contractOnly: values['contract-only'], allowDataLoss: values['allow-data-loss'] };
  const run = async (): Promise<void> => {
    try {
      console.log(await (values.check ? check(root) : generate(options)));
    } catch (error) {
      console.error((error as Error).message);
      if (!watching) process.exitCode = 1;
    }
  };
  await run();
  if (watching) watchContract(root, run);
}

function watchContract(root: string, run: () => Promise<void>): void {
  console.log('watching openapi.yaml');
  let waiting: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  watch(root, (_event, name) => {
    if (name !== 'openapi.yaml') return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      running = running.then(run);
    }, 100);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
