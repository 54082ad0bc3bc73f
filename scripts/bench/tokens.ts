import { randomBytes } from 'node:crypto';
import { encode } from 'gpt-tokenizer';
import { hashSecret, makeSecret } from '../../src/domain/token.ts';
import { builtFolder, jsonFile, type Run, runBench } from './program.ts';
import { machineNote, markdownTable, publish, whole } from './report.ts';
import { type Input, type Measured, mcpHeaders, newJob, requestOver, toolOf } from './requests.ts';
import { loadSampleData, type SampleData } from './sample-data.ts';
import { onServer, openDatabase, servicePlan, startServer } from './servers.ts';

const categories = 120;
const about = `Prints the size of what an agent reads: the definition of each tool, and typical results. Tokens are counted with o200k_base; other
models differ by some percent. No load is generated.`;

const options = {
  json: jsonFile,
  dist: builtFolder,
};

/** A line of a table: bytes and tokens of two texts. */
type Sizes = readonly [what: string, ...figures: number[]];

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

const sizeOf = (value: string | object): [bytes: number, tokens: number] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [Buffer.byteLength(text), encode(text).length];
};

/** Most clients show the model only this part of a definition. */
const shownOf = ({ name, description, inputSchema }: Tool) => ({ name, description, inputSchema });

const listSizes = (what: string, tools: readonly Tool[]): Sizes => [
  what,
  ...sizeOf({ tools }),
  ...sizeOf({ tools: tools.map(shownOf) }),
];

/** Leaves so many active categories, and returns a token of the first company that only reads. */
async function prepare(url: string): Promise<string> {
  const secret = makeSecret({ companyId: 1n, environment: 'production' }, randomBytes(24));
  await onServer(url, async (client) => {
    await client.query(
      'UPDATE categories SET active = false WHERE id NOT IN (SELECT id FROM categories WHERE active ORDER BY id LIMIT $1)',
      [categories],
    );
    await client.query(
      `INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at)
       VALUES (1, 'production', 'read', 'bench', $1, $2, now(), now() + interval '30 days')`,
      [Buffer.from(hashSecret(secret)), secret.slice(-4)],
    );
  });
  return secret;
}

function callsOf({ reader, job }: SampleData): readonly (readonly [note: string, Measured, Input])[] {
  const id = reader.jobIds[0] ?? 0;
  return [
    [`, ${categories} categories`, 'listCategories', {}],
    ['', 'listRegions', {}],
    ['', 'listOptions', {}],
    ['', 'getAccount', {}],
    ['', 'getJob', { id }],
    [', 25 jobs', 'listJobs', {}],
    ['', 'createJob', newJob(job)],
    [', 422 on three fields', 'createJob', newJob({ ...job, title: '', category_id: 1, salary_max: 1 })],
    ['', 'updateJob', { id, job: { salary_max: 3300 } }],
    ['', 'withdrawJob', { id }],
    [', 404', 'getJob', { id: 999_999_999 }],
  ];
}

/** Asks a server of its own, on a database of its own. */
export async function measureSizes(dist: string, run: Run): Promise<{ definitions: Sizes[]; results: Sizes[] }> {
  const { url } = await openDatabase(dist, run);
  const sample = await loadSampleData(url, 100);
  const readToken = await prepare(url);
  const { origin } = await startServer(servicePlan(dist, { DATABASE_URL: url }), run);
  const resultOf = async <T>(request: { headers: object; body?: string }): Promise<T> => {
    const response = await fetch(`${origin}/mcp`, { method: 'POST', ...request } as RequestInit);
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
    if (result === undefined) throw new Error(error?.message ?? 'no result');
    return result;
  };
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const toolsFor = async (token: string) =>
    (await resultOf<{ tools: Tool[] }>({ headers: mcpHeaders(token), body: list })).tools;
  const { token } = sample.reader;
  const all = await toolsFor(token);
  const definitions = [
    ...all.map((tool): Sizes => [tool.name, ...sizeOf(tool), ...sizeOf(shownOf(tool))]),
    listSizes('tools/list, write access', all),
    listSizes('tools/list, read access', await toolsFor(readToken)),
  ];
  const results: Sizes[] = [];
  for (const [note, operationId, input] of callsOf(sample)) {
    const request = requestOver.mcp(operationId, token, input);
    const result = await resultOf<{ content: { text: string }[] }>(request);
    results.push([toolOf(operationId) + note, ...sizeOf(result), ...sizeOf(result.content[0]?.text ?? '')]);
  }
  return { definitions, results };
}

export const sizeTables = ({ definitions, results }: Awaited<ReturnType<typeof measureSizes>>): string[][] => [
  [markdownTable([['definition', 'bytes', 'tokens', 'for the model', 'tokens'], ...definitions.map(cells)])],
  [markdownTable([['result', 'bytes', 'tokens', 'for the model', 'tokens'], ...results.map(cells)])],
];

const cells = ([what, ...figures]: Sizes): string[] => [what, ...figures.map(whole)];

export const runTokens = (): Promise<void> =>
  runBench('bench -- --tokens', about, options, async ({ json, dist }, run) => {
    const sizes = await measureSizes(dist, run);
    publish([machineNote('PostgreSQL')], sizeTables(sizes), json, sizes);
  });
