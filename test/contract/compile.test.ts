import { expect } from 'chai';
import type { paths } from '../../generated/openapi.ts';
import { operations } from '../../generated/operations.ts';
import type { ApiContext } from '../../src/context.ts';
import type { Complete, Input, Reply, Schemas } from '../../src/contract/types.ts';
import { table } from '../../src/operations/table.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const data = {} as Schemas['Job'];
const account = {} as Schemas['Account'];
const headers = { ETag: '"x"' };
const meta = { current_page: 1, per_page: 25, total: 0, last_page: 1 };
const { total: _, ...metaWithoutTotal } = meta;
const { company_id: __, ...accountWithoutId } = account;
const { withdrawJob: ___, ...operationsWithoutOne } = operations;

const { category_id: ____, ...jobWithoutCategory } = minimalJob;
type Sent<O extends { requestBody: { content: unknown } }> = O['requestBody']['content'] extends {
  'application/json': infer Body;
}
  ? Body
  : never;

/** The project compiles only if each line below a comment has the described error, and the other lines have none. */
const replies = {
  read: (): Reply<'getJob'> => ({ status: 200, headers, body: { data } }),
  // @ts-expect-error: a status that the contract does not declare
  undeclared: (): Reply<'getJob'> => ({ status: 202, headers, body: { data } }),
  list: (): Reply<'listJobs'> => ({ status: 200, body: { data: [data], meta } }),
  // @ts-expect-error: without a required field of its meta
  metaless: (): Reply<'listJobs'> => ({ status: 200, body: { data: [data], meta: metaWithoutTotal } }),
  account: (): Reply<'getAccount'> => ({ status: 200, body: { data: account } }),
  // @ts-expect-error: without a required field of its data
  anonymous: (): Reply<'getAccount'> => ({ status: 200, body: { data: accountWithoutId } }),
  withdrawn: (): Reply<'withdrawJob'> => ({ status: 204, headers, body: { data } }),
  // @ts-expect-error: without the job that its tool returns
  silent: (): Reply<'withdrawJob'> => ({ status: 204, headers }),
  created: (): Reply<'createJob'> => ({ status: 201, headers: { ...headers, Location: '/' }, body: { data } }),
  // @ts-expect-error: without its Location
  nowhere: (): Reply<'createJob'> => ({ status: 201, headers, body: { data } }),
};

/** Requests of clients, with the types that openapi-typescript generates from the contract. */
const requests = {
  create: (): Sent<paths['/jobs']['post']> => minimalJob,
  // @ts-expect-error: without one of the six required fields
  uncategorized: (): Sent<paths['/jobs']['post']> => jobWithoutCategory,
  change: (): Sent<paths['/jobs/{id}']['patch']> => ({ title: 'Pintor' }),
  list: (): paths['/jobs']['get']['parameters']['query'] => ({}),
};

const pageOf = ({ query }: Input<'listJobs', 'page'>): number => query.page;

// @ts-expect-error: an operation without a function
const incomplete: typeof table = operationsWithoutOne;

const readsLess = {
  ...operations,
  listJobs: { run: async (_: ApiContext, __: Input<'listJobs', 'page'>) => replies.list() },
};
// @ts-expect-error: a function that reads less than its query has
readsLess satisfies Complete<typeof readsLess>;

it('code outside the contract does not compile: an undeclared answer, an undeclared request, a missing operation', () => {
  expect(Object.values(replies)).to.have.length(10);
  expect(Object.values(requests)).to.have.length(4);
  expect(Object.keys(minimalJob)).to.have.length(6);
  expect(pageOf({ path: {}, query: { page: 2 }, header: {}, body: undefined })).to.equal(2);
  expect(table).to.equal(operations);
  expect(incomplete).to.not.have.property('withdrawJob');
});
