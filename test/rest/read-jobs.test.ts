import { expect } from 'chai';
import { newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const idsIn = ({ body }: { body: { data: { id: number }[] } }): number[] => body.data.map(({ id }) => id);

it('listJobs: newest first, 25 per page by default, with meta; an empty list has one empty page', async () => {
  const asWriter = await (await newCompany()).writer();
  const first = { current_page: 1, per_page: 25, total: 0, last_page: 1 };
  expect((await asWriter.get('/jobs')).body).to.deep.equal({ data: [], meta: first });
  const ids: number[] = [];
  for (let n = 0; n < 28; n++) ids.unshift((await asWriter.create(minimalJob)).body.data.id);
  for (const [query, expected, meta] of [
    ['', ids.slice(0, 25), { ...first, total: 28, last_page: 2 }],
    ['?page=2&per_page=10', ids.slice(10, 20), { current_page: 2, per_page: 10, total: 28, last_page: 3 }],
    ['?page=1000000', [], { ...first, current_page: 1_000_000, total: 28, last_page: 2 }],
  ] as const) {
    const answer = await asWriter.get(`/jobs${query}`);
    expect(idsIn(answer), query).to.deep.equal(expected);
    expect(answer.body.meta, query).to.deep.equal(meta);
  }
});
