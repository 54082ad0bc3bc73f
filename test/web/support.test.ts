import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { actionContext, newCompany, startApp } from '../helper/fixtures.ts';
import { asPerson, PageClient, textOf } from '../helper/page-client.ts';

describe('whom to ask', () => {
  let closed: PageClient;
  let suspended: PageClient;
  before(async () => {
    closed = await asPerson(await newCompany({ plan: null, approved: false }), 'sub');
    const acme = await newCompany();
    suspended = await asPerson(acme, 'sub');
    await suspendCompany(actionContext(), { companyId: acme.id });
  });

  /** The pages where only an administrator can help, with what they say. */
  async function helplessPages(settings: Record<string, string>) {
    const at = await startApp(settings);
    const stranger = new PageClient('company', at);
    const person = PageClient.copyOf(closed, at);
    const pages = {
      'a plan without production': await person.get('/'),
      'a suspended company': await PageClient.copyOf(suspended, at).get('/'),
      'the sign-in page': await stranger.get('/sign-in'),
      'a link that has ended': await stranger.get(`/set-password?link=vaga_link_${'0'.repeat(48)}`),
      'a page that the person may not see': await person.get('/credentials/issue'),
    };
    return Object.entries(pages);
  }

  for (const [contact, text, href] of [
    ['ajuda@example.com', 'ajuda@example.com', 'mailto:ajuda@example.com'],
    ['+351 21 000 00 00', '+351 21 000 00 00', 'tel:+351210000000'],
    ['https://example.com/ajuda', 'example.com', 'https://example.com/ajuda'],
  ] as const)
    it(`is ${contact} on every page where only an administrator can help`, async () => {
      for (const [name, page] of await helplessPages({ SUPPORT_CONTACT: contact })) {
        expect(textOf(page, 'main'), name).to.include(`Contact ${text}.`);
        expect(page.document.querySelector(`main a[href="${href}"]`)?.textContent, name).to.equal(text);
      }
    });

  it('is nobody if the operator names nobody', async () => {
    for (const [name, page] of await helplessPages({}))
      expect(textOf(page, 'main'), name).to.not.match(/\b(C|c)ontact (the|an|\{)/);
  });
});
