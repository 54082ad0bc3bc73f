import { expect } from 'chai';
import supertest from 'supertest';
import { newCompany, server } from '../helper/fixtures.ts';
import { asPerson, type Page, PageClient, textOf } from '../helper/page-client.ts';

const language = ({ document }: Page) => document.documentElement.lang;
const asks = (accepted: string) => ({ 'Accept-Language': accepted });

describe("the reader's language", () => {
  it('is the one that the browser prefers; English if it prefers none of ours', async () => {
    const visitor = new PageClient('company');
    for (const [accepted, expected] of [
      ['pt-PT,pt;q=0.9,en;q=0.8', 'pt-PT'],
      ['pt-BR', 'pt-PT'],
      ['pt;q=0.5, en;q=0.4', 'pt-PT'],
      ['en-US,en;q=0.9,pt;q=0.8', 'en'],
      ['fr', 'en'],
      ['*', 'en'],
      [';;;', 'en'],
      [undefined, 'en'],
    ] as const) {
      const page = await visitor.get('/sign-in', accepted === undefined ? {} : asks(accepted));
      expect([language(page), page.headers['content-language']], accepted).to.deep.equal([expected, expected]);
      expect(page.headers.vary).to.include('Accept-Language, Cookie');
      expect(textOf(page, 'h1')).to.match(expected === 'en' ? /^Sign in/ : /^Iniciar sessão/);
    }
  });

  it('is switched by a form on the page, which returns to the same page with its filter', async () => {
    const visitor = await asPerson(await newCompany());
    const path = '/dashboard/jobs?environment=sandbox&status=denied';
    const answer = await visitor.switchLanguage(await visitor.get(path));
    expect([answer.status, answer.headers.location]).to.deep.equal([303, path]);
    const cookie = /^vaga_language=pt; Max-Age=31536000; Path=\/; .*HttpOnly; SameSite=Lax$/;
    expect(String(answer.headers['set-cookie'])).to.match(cookie);
    const switched = await visitor.follow(answer);
    expect(language(switched)).to.equal('pt-PT');
    expect(textOf(switched)).to.include('Sem resultados.');
    expect(language(await visitor.follow(await visitor.switchLanguage(switched)))).to.equal('en');
    expect(language(await visitor.get('/jobs', asks('pt')))).to.equal('en');
  });

  it('is switched on the answer to a form too, which leads to the page of the form', async () => {
    const visitor = await asPerson(await newCompany());
    const refused = await visitor.submit(await visitor.get('/sandbox'), '/sandbox/reset', { word: 'no' });
    expect(refused.status).to.equal(422);
    const answer = await visitor.switchLanguage(refused);
    expect(language(await visitor.follow(answer))).to.equal('pt-PT');
    expect(answer.headers.location).to.equal('/dashboard/sandbox');
    const signIn = await new PageClient('company').signIn('ninguem@example.com');
    expect((await visitor.switchLanguage(signIn)).headers.location).to.equal('/dashboard/sign-in');
  });

  it('the form is no open redirect, ignores other languages, and is refused from another site', async () => {
    const choose = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      supertest(server()).post('/language').type('form').set(headers).send(fields);
    const elsewhere = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/\t/evil.example',
    ];
    const odd = ['/v1/jobs', '', '/%', '/dashboard/..//evil.example', 'dashboard', '/dashboard\r\nX: y'];
    for (const next of [...elsewhere, ...odd]) {
      const { status, headers } = await choose({ language: 'pt', next });
      expect(status, next).to.equal(303);
      expect(headers.location, next).to.match(/^\/(dashboard[\w%:]*)?$/);
    }
    expect((await choose({ language: 'xx', next: '/dashboard' })).headers['set-cookie']).to.equal(undefined);
    expect((await choose({ language: 'pt' }, { 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(403);
    expect((await supertest(server()).get('/language')).status).to.equal(404);
  });

  it('holds for errors of forms and for pages of errors', async () => {
    const visitor = await asPerson(await newCompany());
    await visitor.switchLanguage(await visitor.get(''));
    const refused = await visitor.send('/credentials/issue', { label: 'x'.repeat(101) });
    expect(textOf(refused, '#label-error')).to.match(/^Escreva .* 100 /);
    expect(textOf(refused, '[role=alert]')).to.include('Nada foi alterado.');
    const missing = await visitor.get('/jobs/production/1');
    expect([missing.status, textOf(missing, 'h1')]).to.deep.equal([404, 'Não encontrado']);
    const outOfDate = await visitor.post('/sandbox/reset', { word: 'RESET' });
    expect(textOf(outOfDate, 'main')).to.include('desatualizado');
  });
});
