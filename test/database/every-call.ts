import { expect } from 'chai';
import type { Operation } from '../../src/contract/document.ts';
import type { OperationId } from '../../src/contract/types.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import type { PageClient } from '../helper/page-client.ts';
import { freshKey, type RestClient } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { storedChange, storedSample } from '../helper/stored-samples.ts';

type Call = (client: RestClient) => Promise<unknown>;
export const create = async (client: RestClient): Promise<number> => (await client.create(minimalJob)).body.data.id;

/** How to call the operations that need more than a GET of their path. */
const calls: { readonly [O in OperationId]?: Call } = {
  listJobs: async (client) => {
    for (const status of ['pending', 'active', 'inactive', 'expired']) await client.get(`/jobs?status=${status}`);
    await client.get('/jobs?page=3&per_page=2');
    for (const query of ['', '&status=pending', '&status=active', '&status=expired', '&cursor=0.0.0.0'])
      await client.get(`/jobs?updated_since=2020-01-01T00:00:00Z${query}`);
  },
  createJob: async (client) => {
    const key = freshKey();
    const statuses = [];
    for (const job of [fullJob(), fullJob(), minimalJob]) statuses.push((await client.create(job, key)).status);
    statuses.push((await client.create({ ...minimalJob, district_id: 999_999 })).status);
    expect(statuses).to.deep.equal([201, 200, 409, 422]);
  },
  getJob: async (client) => {
    await client.get(`/jobs/${await create(client)}`);
    await client.get('/jobs/1');
  },
  updateJob: async (client) => client.patch(await create(client), { title: 'Outra', district_id: 13 }),
  withdrawJob: async (client) => {
    const id = await create(client);
    for (let n = 0; n < 2; n++) await client.withdraw(id);
  },
};

/** Creates one of what the contract stores, then does to it what the method does. */
function callOfStored({ method, path }: Pick<Operation, 'method' | 'path'>): Call | undefined {
  const collection = path.replace('/{id}', '');
  const stored = storedResources.find(({ resource }) => resource.operationOf('post').path === collection);
  if (!stored) return undefined;
  return async (client) => {
    const key = { 'Idempotency-Key': freshKey() };
    const made = await client.send('POST', collection, storedSample(stored.resource), key);
    const body = method === 'patch' ? storedChange(stored.resource) : undefined;
    if (path !== collection) await client.send(method.toUpperCase(), `${collection}/${made.body.data.id}`, body);
  };
}

export function callOf({ operationId, method, path }: Operation): Call {
  if (method === 'get' && !path.includes('{')) return calls[operationId] ?? ((client) => client.get(path));
  const call = calls[operationId] ?? callOfStored({ method, path });
  if (!call) throw new Error(`${operationId}: add how this test calls it`);
  return call;
}

const searched = (path: string): string[] => [path, `${path}?text=obra&sort=oldest`];

const time = 'from=2026-01-01T10:42&to=2026-01-01T10:42';

/** The dashboard's pages that read much, with their searches. */
export const dashboardPaths = (jobId: number): string[] => [
  ...['/', '/credentials', '/sandbox', `/jobs/production/${jobId}`, `/jobs/production/${jobId}?before=999`],
  ...['/jobs', '/jobs?text=obra&sort=title', '/jobs?text=12&sort=changed&status=expired'],
  ...['/jobs?environment=sandbox&status=expired&page=2', ...searched('/requests'), '/requests?status=4xx'],
  ...['/jobs?from=2026-01-01T00:00&to=2026-02-01T00:00', `/requests?${time}`, '/jobs.csv', '/requests.csv'],
  ...['/jobs.csv?text=obra&status=active', `/requests.csv?${time}`],
  ...[...searched('/activity'), '/activity?action=sandbox.reset'],
];

/** The same for the administration. */
export function adminPaths(companyId: bigint, jobId: number): string[] {
  const company = `/companies/${companyId}`;
  const job = `${company}/production/jobs/${jobId}`;
  return [
    ...['/', ...searched('/review'), '/companies', '/companies?sort=name', '/plans', '/categories'],
    ...['/companies?text=ana@example.com&state=waiting', company, `${company}?people-text=ana&people-sort=email`],
    ...[...searched('/requests'), '/requests?reason=job&before=9', `/requests?company=${companyId}`],
    ...[`/requests?${time}`, `/requests?company=${companyId}&${time}`, `${company}/production/jobs.csv`],
    ...[...searched('/jobs'), '/jobs?text=12&status=expired&environment=sandbox'],
    ...[
      `/jobs?companyId=${companyId}&environment=production`,
      job,
      `${job}/remove`,
      ...searched('/audit'),
      '/audit?before=9',
    ],
  ];
}

export async function visit(client: PageClient, paths: readonly string[]): Promise<void> {
  for (const path of paths) expect((await client.get(path)).status, path).to.equal(200);
}
