import { expect } from 'chai';
import supertest from 'supertest';
import { newCompany, server } from '../helper/fixtures.ts';
import { newUser, type Page, PageClient, textOf } from '../helper/page-client.ts';

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
    ] as const) {
      const page = await visitor.get('/sign-in', asks(accepted));
      expect(language(page), accepted).to.equal(expected);
      expect(page.headers['content-language']).to.equal(expected);
      expect(page.headers.vary).to.include('Accept-Language, Cookie');
    }
    expect(language(await visitor.get('/sign-in'))).to.equal('en');
    expect(textOf(await visitor.get('/sign-in', asks('pt')), 'h1')).to.equal('Iniciar sessão no painel da empresa');
  });

  it('is switched by a form on the page, which returns to the same page with its filter', async () => {
    const visitor = await PageClient.signedIn('company', await newUser(await newCompany()));
    const page = await visitor.get('/jobs?environment=sandbox&status=denied');
    const answer = await visitor.switchLanguage(page);
    expect([answer.status, answer.headers.location]).to.deep.equal([
      303,
      '/dashboard/jobs?environment=sandbox&status=denied',
    ]);
    expect(String(answer.headers['set-cookie'])).to.match(
      /^vaga_language=pt; Max-Age=31536000; Path=\/; .*HttpOnly; SameSite=Lax$/,
    );
    const switched = await visitor.follow(answer);
    expect(language(switched)).to.equal('pt-PT');
    expect(textOf(switched)).to.include('Sem resultados.');
    const back = await visitor.follow(await visitor.switchLanguage(switched));
    expect(language(back)).to.equal('en');
    expect(language(await visitor.get('/jobs', asks('pt')))).to.equal('en');
  });

  it('is switched on the answer to a form too, which leads to the page of the form', async () => {
    const visitor = await PageClient.signedIn('company', await newUser(await newCompany()));
    const refused = await visitor.submit(await visitor.get('/sandbox'), '/sandbox/reset', { word: 'no' });
    expect(refused.status).to.equal(422);
    const answer = await visitor.switchLanguage(refused);
    expect(answer.headers.location).to.equal('/dashboard/sandbox');
    expect(language(await visitor.follow(answer))).to.equal('pt-PT');
    const signIn = await new PageClient('company').signIn('ninguem@example.com');
    expect((await visitor.switchLanguage(signIn)).headers.location).to.equal('/dashboard/sign-in');
  });

  it('the form is no open redirect, ignores other languages, and is refused from another site', async () => {
    const choose = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      supertest(server()).post('/language').type('form').set(headers).send(fields);
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/v1/jobs',
      '',
      '/%',
      '/dashboard/..//evil.example',
      'dashboard',
      '/\t/evil.example',
      '/dashboard\r\nX: y',
    ]) {
      const { status, headers } = await choose({ language: 'pt', next });
      expect(status, next).to.equal(303);
      expect(headers.location, next).to.match(/^\/(dashboard[\w%:]*)?$/);
    }
    expect((await choose({ language: 'xx', next: '/dashboard' })).headers['set-cookie']).to.equal(undefined);
    expect((await choose({ language: 'pt' }, { 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(403);
    expect((await supertest(server()).get('/language')).status).to.equal(404);
  });

  it('holds for errors of forms and for pages of errors', async () => {
    const acme = await newCompany();
    const visitor = await PageClient.signedIn('company', await newUser(acme));
    await visitor.switchLanguage(await visitor.get(''));
    const form = await visitor.get('/credentials/issue');
    const typed = { label: 'x'.repeat(101), password: 'uma-senha-para-testes' };
    const refused = await visitor.submit(form, '/credentials/issue', typed);
    expect(textOf(refused, '#label-error')).to.equal('Escreva no máximo 100 caracteres.');
    expect(textOf(refused, '[role=alert]')).to.equal('Nada foi alterado. Veja abaixo os campos assinalados.');
    const wrong = await visitor.submit(form, '/credentials/issue', { ...typed, password: 'x' });
    expect(wrong.status).to.equal(303);
    const missing = await visitor.get('/jobs/production/1');
    expect([missing.status, textOf(missing, 'h1')]).to.deep.equal([404, 'Não encontrado']);
    expect(textOf(missing, 'main')).to.include('Não existe nada neste endereço.');
    const outOfDate = await visitor.post('/sandbox/reset', { word: 'RESET' });
    expect(textOf(outOfDate, 'main')).to.include('Este formulário está desatualizado.');
  });
});
