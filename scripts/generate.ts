import { existsSync, watch } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { contractChanges } from './contract-changes-text.ts';
import { contractMistake } from './contract-place.ts';
import { expandContract, withoutDanglingAliases } from './expand-contract.ts';
import { ContractError, readDocument } from './generate-document.ts';
import { renderJobFunctions } from './generate-job-functions.ts';
import { renderJobModel } from './generate-job-model.ts';
import { renderProducts } from './generate-products.ts';
import { isNullableColumn, jobFieldsOf, jobFieldsPath } from './job-fields.ts';

// npm run generate [-- --watch] [-- --allow-data-loss]: everything that follows from openapi.yaml.

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
  const { files, notes, schema, jobFunctions } = await derivedFiles(written, options).catch((error: unknown) => {
    throw new Error(contractMistake(written, error));
  });
  if (schema !== undefined) notes.push(...(await addMigration(files, { schema, jobFunctions }, notes, options)));
  const changed = await writeAll(files);
  if (!contractOnly) await generateClient(root, changed);
  if (notes.length > 0) return notes.join('\n');
  return changed.length > 0 ? 'generated/ is written anew' : 'nothing to do';
}

/** All files that follow from the text of openapi.yaml, itself among them; `schema` is schema.prisma where that changes. */
async function derivedFiles(written: string, { root, contractOnly = false }: GenerateOptions) {
  const source = withoutDanglingAliases(written);
  const yaml = expandContract(source, await removedFields(root, source));
  const products = await renderProducts(yaml);
  const files = new Map([[join(root, 'openapi.yaml'), yaml]]);
  for (const [name, text] of products) files.set(join(root, 'generated', name), text);
  const notes = await contractChanges(join(root, 'generated', 'openapi.json'), products.get('openapi.json') ?? '');
  if (contractOnly) return { files, notes, schema: undefined, jobFunctions: '' };
  const schemaFile = join(root, 'prisma', 'schema.prisma');
  const before = await readFile(schemaFile, 'utf8');
  const document = readDocument(yaml);
  const schema = renderJobModel(before, document);
  files.set(schemaFile, schema);
  return { files, notes, schema: schema === before ? undefined : schema, jobFunctions: renderJobFunctions(document) };
}

/** The fields of the published contract that this one has no more. Refuses a new one that jobs from before cannot have. */
async function removedFields(root: string, yaml: string): Promise<string[]> {
  const published = await readFile(join(root, 'generated', 'openapi.json'), 'utf8').catch(() => undefined);
  if (published === undefined) return [];
  const known = jobFieldsOf(JSON.parse(published)).map(({ name }) => name);
  const fields = jobFieldsOf(readDocument(yaml));
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

/** Where the columns change, adds a migration that is named after the fields and ends with the functions that name them. */
async function addMigration(
  files: Map<string, string>,
  { schema, jobFunctions }: { readonly schema: string; readonly jobFunctions: string },
  notes: readonly string[],
  { root, allowDataLoss = false }: GenerateOptions,
): Promise<string[]> {
  const { migrationTo } = await import('./write-migration.ts');
  const migration = await migrationTo(schema, migrationName(notes), new Date());
  if (!migration) return [];
  const { folder, sql, losses } = migration;
  if (losses.length > 0 && !allowDataLoss)
    throw new Error(
      `the migration would lose data; repeat with --allow-data-loss if you want that:\n${losses.join('\n')}`,
    );
  files.set(join(root, 'prisma', 'migrations', folder, 'migration.sql'), `${sql}\n${jobFunctions}`);
  return [`migration: prisma/migrations/${folder}${losses.length > 0 ? ' (loses data)' : ''}`];
}

/** add_shift_pattern_openings, remove_remote_policy: at most so long that a file system takes it. */
function migrationName(notes: readonly string[]): string {
  const changes = notes.flatMap((note) => [...note.matchAll(/^field (add|remove|change)e?d: (\w+)/g)]);
  const verbs = ['add', 'remove', 'change'].flatMap((verb) => {
    const fields = changes.filter(([, done]) => done === verb).map(([, , field]) => field);
    return fields.length > 0 ? [[verb, ...fields].join('_')] : [];
  });
  return (verbs.join('_') || 'change_job_fields').slice(0, 60).replace(/_$/, '');
}

async function writeAll(files: ReadonlyMap<string, string>): Promise<string[]> {
  const changed: string[] = [];
  for (const [path, text] of files) {
    const known = existsSync(path) ? await readFile(path, 'utf8') : undefined;
    if (known !== text) changed.push(path);
  }
  for (const path of changed) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, files.get(path) ?? '');
  }
  for (const path of changed) await rename(`${path}.new`, path);
  return changed;
}

async function generateClient(root: string, changed: readonly string[]): Promise<void> {
  const isCurrent = existsSync(join(root, 'generated', 'prisma', 'client.ts'));
  if (isCurrent && !changed.some((path) => path.endsWith('schema.prisma'))) return;
  const { generatePrisma } = await import('./generate-prisma.ts');
  await generatePrisma();
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: packageRoot },
      'contract-only': { type: 'boolean', default: false },
      'allow-data-loss': { type: 'boolean', default: false },
      watch: { type: 'boolean' },
    },
  });
  const { root } = values;
  const options = { root, contractOnly: values['contract-only'], allowDataLoss: values['allow-data-loss'] };
  const run = async (): Promise<void> => {
    try {
      console.log(await generate(options));
    } catch (error) {
      console.error((error as Error).message);
      if (!values.watch) process.exitCode = 1;
    }
  };
  await run();
  if (values.watch) watchContract(root, run);
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
