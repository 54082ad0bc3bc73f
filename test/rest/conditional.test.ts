import { expect } from 'chai';
import { activateCategory, deactivateCategory } from '../../src/operations/reference/change-category.ts';
import { categoriesNow } from '../helper/categories.ts';
import { actionContext, newCompany } from '../helper/fixtures.ts';

const lists = ['/categories', '/regions', '/districts', '/options'];

describe('If-None-Match on reference data', () => {
  for (const path of lists)
    it(`${path}: 304 without a body while the client has the current list`, async () => {
      const reader = await (await newCompany()).reader();
      const whole = await reader.get(path);
      expect(whole.headers['cache-control']).to.equal('private, no-cache');
      const { etag = '' } = whole.headers;
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await reader.get(path, { 'If-None-Match': known });
        expect(answer.status, known).to.equal(304);
        expect(answer.headers.etag).to.equal(etag);
        expect(answer.headers['content-length']).to.equal(undefined);
      }
      for (const other of ['"other"', etag.slice(1, -1), '', ','])
        expect((await reader.get(path, { 'If-None-Match': other })).body).to.deep.equal(whole.body);
    });

  it('counts as a request, and needs a credential', async () => {
    const reader = await (await newCompany()).reader();
    const { etag = '', 'ratelimit-remaining': before } = (await reader.get('/options')).headers;
    const answer = await reader.get('/options', { 'If-None-Match': etag });
    expect(Number(answer.headers['ratelimit-remaining'])).to.equal(Number(before) - 1);
    const stranger = await reader.get('/options', { 'If-None-Match': etag, Authorization: 'Bearer none' });
    expect(stranger.status).to.equal(401);
  });

  it('a change is visible a second later, with another entity tag', async () => {
    const reader = await (await newCompany()).reader();
    const { etag = '' } = (await categoriesNow(reader)).headers;
    await deactivateCategory(actionContext(), { categoryId: 103 });
    const answer = await categoriesNow(reader, { 'If-None-Match': etag });
    await activateCategory(actionContext(), { categoryId: 103 });
    expect(answer.status).to.equal(200);
    expect(answer.headers.etag).not.to.equal(etag);
    expect(answer.body.data.some(({ id }: { id: number }) => id === 103)).to.equal(false);
  });

  it('both environments and every process give the same entity tag for the same list', async () => {
    const acme = await newCompany();
    const tags = [];
    for (const environment of ['sandbox', 'production'] as const)
      tags.push((await (await acme.reader(environment)).get('/regions')).headers.etag);
    expect(tags[0]).to.match(/^"[\w-]{27}"$/);
    expect(tags[1]).to.equal(tags[0]);
  });
});
