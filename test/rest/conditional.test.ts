import { expect } from 'chai';
import { activateCategory, deactivateCategory } from '../../src/operations/reference/change-category.ts';
import { categoriesNow } from '../helper/categories.ts';
import { actionContext, newCompany } from '../helper/fixtures.ts';

describe('If-None-Match on reference data', () => {
  it('304 without a body while the client has the current list, whose entity tag is that of both environments', async () => {
    const acme = await newCompany();
    const [reader, other] = [await acme.reader(), await acme.reader('production')];
    for (const path of ['/categories', '/regions', '/districts', '/options']) {
      const whole = await reader.get(path);
      const { etag = '', 'cache-control': caching } = whole.headers;
      expect(caching).to.equal('private, no-cache');
      expect(etag).to.match(/^"[\w-]{27}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, headers } = await reader.get(path, { 'If-None-Match': known });
        expect([status, headers.etag, headers['content-length']], known).to.deep.equal([304, etag, undefined]);
      }
      for (const unknown of ['"other"', etag.slice(1, -1), '', ','])
        expect((await reader.get(path, { 'If-None-Match': unknown })).body).to.deep.equal(whole.body);
      expect((await other.get(path, { 'If-None-Match': etag })).status, 'production').to.equal(304);
    }
  });

  it('a change is visible a second later, with another entity tag', async () => {
    const reader = await (await newCompany()).reader();
    const { etag = '' } = (await categoriesNow(reader)).headers;
    await deactivateCategory(actionContext(), { categoryId: 103 });
    const { status, headers, body } = await categoriesNow(reader, { 'If-None-Match': etag });
    await activateCategory(actionContext(), { categoryId: 103 });
    expect(status).to.equal(200);
    expect(headers.etag).not.to.equal(etag);
    expect(body.data.some(({ id }: { id: number }) => id === 103)).to.equal(false);
  });
});
