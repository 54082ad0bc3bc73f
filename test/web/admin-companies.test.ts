import { expect } from 'chai';
import { requestProduction } from '../../src/operations/companies/people/request-production.ts';
import { endSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { actionContext, type CompanyOptions, db, newCompany, newJob, type TestCompany } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  newUser,
  type Page,
  type PageClient,
  textOf,
  textsOf,
  valueIn,
} from '../helper/page-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

const pathOf = ({ id }: TestCompany) => `/companies/${id}`;

const endedCredentials = ({ id: companyId }: TestCompany, count: number) => {
  const ended = { companyId, environment: 'sandbox', access: 'read', lastFour: '0000' } as const;
  const times = { createdAt: new Date(0), expiresAt: new Date(1) };
  const data = Array.from({ length: count }, (_, i) => ({ label: `ended ${i}`, secretHash: new Uint8Array([i]) }));
  return db().credential.createMany({ data: data.map((own) => ({ ...ended, ...times, ...own })) });
};

describe("the administration's companies, plans and audit trail", () => {
  let client: PageClient;
  before(async () => {
    client = await asAdministrator();
  });

  const act = (company: TestCompany, name: string, typed: Record<string, string> = {}) =>
    client.send(`${pathOf(company)}/${name}`, typed);

  /** The addresses of the companies that a search finds on its first page. */
  async function found(query: Record<string, string>): Promise<(string | null)[]> {
    const page = await client.get(`/companies?${new URLSearchParams(query)}`);
    expect(page.status).to.equal(200);
    return [...page.document.querySelectorAll('tbody a')].map((link) => link.getAttribute('href'));
  }
  const pathsOf = (...companies: TestCompany[]) => companies.map((company) => `/admin${pathOf(company)}`);

  it('are found by words of a name (any order, ignoring case and accents), by id, which comes first, and by a person’s e-mail address', async () => {
    const acme = await newCompany({ name: `Padaria São João 100% & Filhos_ ΟΔΗΓΟΣ ${Date.now()}` });
    await newCompany({ name: 'Padaria Nova' });
    const email = await newUser(acme);
    for (const text of ['sao joão', ' SÃO JOAO', '100%', 'filhos_ padaria', 'οδηγός', `${acme.id}`])
      expect(await found({ text }), text).to.include(`/admin${pathOf(acme)}`);
    await newCompany({ name: `Depois de ${acme.id}` });
    expect((await found({ text: `${acme.id}` }))[0]).to.equal(`/admin${pathOf(acme)}`);
    for (const text of [email.toUpperCase(), `${email.slice(0, 2)}\u00ad${email.slice(2).replace('@', '＠')}`])
      expect(await found({ text }), text).to.deep.equal(pathsOf(acme));
    for (const text of ["'; DROP TABLE companies; --", '9'.repeat(40), '\\', '\0\0zzz', 'ninguém@example.com'])
      expect(await found({ text }), text).to.deep.equal([]);
    await found({ state: 'x', plan: 'x', page: '0' });
  });

  it('of one name are told apart by their ids: in lists, in the title and notice of a form, and by what an erasure deletes', async () => {
    const name = `Igual ${Date.now()}`;
    const [acme, other] = [await newCompany({ name }), await newCompany({ name: name.replace(' ', ' \u00a0 ') })];
    const ids = [acme, other].map(({ id }) => String(id)).sort();
    for (const [path, head] of [
      ['/companies', 'ID'],
      ['/find', 'Company ID'],
    ] as const) {
      const list = await client.get(`${path}?${new URLSearchParams({ text: name })}`);
      expect(textsOf(list, `[data-head="${head}"]`).sort(), path).to.deep.equal(ids);
      expect(textsOf(list, 'th a').sort(), path).to.deep.equal(ids.map((id) => `${name} (${id})`));
    }
    await newUser(acme);
    const named = `${name} (${acme.id})`;
    const erase = await client.get(`${pathOf(acme)}/erase`);
    expect(textOf(erase, 'h1')).to.equal(`Erase a company: ${named}`);
    const [erased, , ...counts] = textsOf(erase, '.facts dd');
    expect([erased, ...counts]).to.deep.equal([name, '1', 'none', 'none']);
    const suspended = await client.follow(await act(acme, 'suspend', { reason: 'Faturas.' }));
    expect(textOf(suspended, '.notice')).to.equal(`Company ${named} is suspended in both environments.`);
    const own = await (await asPerson(acme)).get('/export');
    expect(textOf(own, 'h1')).to.equal(`Export everything of a company: ${name}`);
  });

  it('first offer what the company waits for', async () => {
    const firstOf = async (options: CompanyOptions) =>
      textOf(await client.get(pathOf(await newCompany(options))), '[aria-labelledby=access] .actions > :first-child');
    expect(await firstOf({ approved: false })).to.equal('Approve for production');
    expect(await firstOf({ approved: false, plan: null })).to.equal('Change plan');
    expect(await firstOf({ approved: false, verified: false })).to.equal('Change verification');
    const suspended = await newCompany();
    await act(suspended, 'suspend', { reason: 'Faturas.' });
    const page = await client.get(pathOf(suspended));
    expect(textOf(page, '[aria-labelledby=access] .actions > :first-child')).to.equal('Reinstate');
  });

  it('show three actions and one red button at most; the rare ones are in a menu; a plan’s form has its first and last day', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    await act(acme, 'subscribe', { plan: 'Pro', startedOn: '2026-01-15', until: '2099-01-01' });
    const page = await client.get(pathOf(acme));
    const access = '[aria-labelledby=access] .actions:not(details *)';
    expect(textsOf(page, `${access} > a`)).to.deep.equal(['Change plan', 'Change verification', 'Suspend']);
    expect(textsOf(page, `${access} > .danger`)).to.deep.equal(['Suspend']);
    expect(textsOf(page, `${access} details a`)).to.include.members(['Withdraw approval', 'End plan', 'Erase']);
    const form = await client.get(`${pathOf(acme)}/subscribe`);
    expect(['#startedOn', '#until'].map((field) => valueIn(form, field))).to.deep.equal(['2026-01-15', '2099-01-01']);
    expect(textsOf(form, '#plan option')).to.not.include('Choose');
    const first = await client.get(`${pathOf(await newCompany({ plan: null }))}/subscribe`);
    expect(textsOf(first, '#plan[required] option[value=""][selected]'), 'no silent choice').to.deep.equal(['Choose']);
    expect(textsOf(first, 'label small').length, 'the days may stay empty').to.equal(2);
  });

  it('with a misspelt name are suggested, at most five, the nearest first; a text that resembles none suggests none', async () => {
    const stamp = `${Date.now()}`.slice(-4);
    const names = ['Oficina do Bolhão', 'Transportes Gonçalves', 'Padaria Primeiro'].map((name) => `${name} ${stamp}`);
    const companies: TestCompany[] = [];
    for (const name of names) companies.push(await newCompany({ name }));
    for (const path of ['/companies', '/find']) {
      const search = (text: string) => client.get(`${path}?${new URLSearchParams({ text })}`);
      const near = async (text: string) =>
        [...(await search(text)).document.querySelectorAll('main h2 + ul a')].map((link) => link.getAttribute('href'));
      for (const [text, at] of [
        [`Olficina do Bolhao ${stamp}`, 0],
        [`BOLÃO ${stamp}`, 0],
        [`Gonzalves ${stamp}`, 1],
        [`Padaria Primero ${stamp}`, 2],
      ] as const) {
        expect(has(await search(text), 'tbody'), text).to.equal(false);
        expect((await near(text))[0], text).to.equal(`/admin${pathOf(companies[at] as TestCompany)}`);
        expect((await near(text)).length, text).to.be.at.most(5);
      }
      for (const text of [names[0] ?? '', 'qxzw kjvq', '!', "%_' \\", 'ninguém@example.org', '😀'.repeat(60), '\u0301'])
        expect(await near(text), text).to.deep.equal([]);
    }
  });

  // operations/rules-in-sql.test.ts tests every state.
  it('are filtered by state and current plan; the front page counts those to approve', async () => {
    const text = `Estado ${Date.now()}`;
    const waiting = await newCompany({ name: text, plan: 'Pro', approved: false });
    await requestProduction(actionContext(), { companyId: waiting.id });
    const ended = await newCompany({ name: text });
    await endSubscription(actionContext(), { companyId: ended.id });
    for (const [query, ...companies] of [
      [{ state: 'waiting' }, waiting],
      [{ state: 'approved' }, ended],
      [{ plan: 'Pro' }, waiting],
      [{ plan: 'none' }, ended],
      [{ plan: 'complimentary' }],
    ] as const)
      expect(await found({ text, ...query }), JSON.stringify(query)).to.deep.equal(pathsOf(...companies));
    const list = await client.get(`/companies?${new URLSearchParams({ text })}`);
    const badges = textsOf(list, 'tbody .badge').filter((badge) => badge === 'Waiting for approval');
    expect(badges).to.have.length(1);
    const toApprove = async () => Number(/(\d+) compan(y|ies) to approve/.exec(textOf(await client.get('/')))?.[1]);
    const before = await toApprove();
    await act(waiting, 'approve');
    expect(await toApprove()).to.equal(before - 1);
  });

  it('the forms open and close production and the sandbox for the API', async () => {
    const acme = await newCompany({ plan: 'Pro', approved: false });
    const readers = [await acme.reader('production'), await acme.reader('sandbox')];
    const rows = [
      ['approve', {}, [200, 200], /Pro since/],
      ['unapprove', { reason: 'Engano.' }, [403, 200], /Closed: Not approved/],
      ['approve', { reason: 'Contrato assinado.' }, [200, 200], /Pro since/],
      ['suspend', { reason: 'Anúncios falsos.' }, [403, 403], /suspended/],
      ['reinstate', {}, [200, 200], /Pro since/],
      [
        'unsubscribe',
        { reason: 'Acabou.' },
        [403, 200],
        /No plan that includes production.*Pro since.*, ended \d+ \w+ \d+, \d\d:\d\d/,
      ],
      ['grant', { limit: 'unlimited', until: '2099-12-31' }, [200, 200], /Unlimited since.*until 31 Dec 2099/],
      ['end-grant', { reason: 'Acabou.' }, [403, 200], /No plan that includes production/],
      [
        'subscribe',
        { plan: 'Pro', until: '2099-03-31' },
        [200, 200],
        /last day: 31 Mar 2099.*Pro since.*until 31 Mar 2099(?!,)/,
      ],
    ] as const;
    expect(textOf(await client.get(pathOf(acme)))).to.contain('Closed: Not approved');
    for (const [name, typed, statuses, shown] of rows) {
      const page = await client.follow(await act(acme, name, typed));
      expect(textOf(page, '[role=status]'), `${name} names the company`)
        .to.contain('Oficina Exemplo')
        .and.not.match(new RegExp(`Company ${acme.id} `));
      expect(textOf(page), name).to.match(shown);
      const answers = await Promise.all(readers.map((reader) => reader.get('/jobs')));
      expect(
        answers.map(({ status }) => status),
        name,
      ).to.deep.equal(statuses);
    }
  });

  it('a form that is sent again, or twice at the same time, creates one company, which is opened; with another name it creates another', async () => {
    const stamp = `Dupla ${Date.now()}`;
    const form = await client.get('/companies/create');
    const send = (name: string, page = form) => client.submit(page, '/companies/create', { name });
    await send(` ${stamp} `);
    const opened = await client.follow(await send(` ${stamp} `));
    expect(`${textOf(opened, 'h1')}, ${textOf(opened, '.notice')}`)
      .to.contain(`${stamp}, Company ${stamp} is created`)
      .and.not.contain('already');
    const other = await client.follow(await send(`${stamp} outra`));
    expect(textOf(other, 'h1')).to.equal(`${stamp} outra`);
    const next = await client.get('/companies/create');
    const both = await Promise.all([1, 2].map(() => send(`${stamp} nova`, next)));
    expect(both.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(await db().company.count({ where: { name: { startsWith: stamp } } })).to.equal(3);
  });

  it('verification and publishing without review can be switched on and off', async () => {
    const acme = await newCompany({ verified: false });
    const facts = () => db().company.findUniqueOrThrow({ where: { id: acme.id } });
    // The second changes nothing.
    for (const typed of [{ verified: 'true', autoPublish: 'true' }, {}]) {
      expect((await act(acme, 'set', typed)).status).to.equal(303);
      expect(await facts()).to.include({ verified: true, autoPublish: true });
    }
    const shown = await client.get(`${pathOf(acme)}/set`);
    for (const box of shown.document.querySelectorAll('main [type=checkbox]')) box.removeAttribute('checked');
    expect((await client.submit(shown, `${pathOf(acme)}/set`)).status).to.equal(303);
    expect(await facts()).to.include({ verified: false, autoPublish: false });
    const where = { companyId: acme.id, actor: { startsWith: 'administrator:' } };
    expect(await db().auditEntry.count({ where }), 'what changes nothing is not recorded').to.equal(2);
  });

  it('a form does not undo what somebody else has changed since it was shown: it shows that first, and keeps what was typed', async () => {
    const acme = await newCompany({ verified: true });
    const facts = () => db().company.findUniqueOrThrow({ where: { id: acme.id } });
    const shown = await client.get(`${pathOf(acme)}/set`);
    await act(acme, 'set', { autoPublish: 'true' });
    for (const box of shown.document.querySelectorAll('[name=verified]')) box.removeAttribute('checked');
    const asked = await client.submit(shown, `${pathOf(acme)}/set`);
    expect(asked.status).to.equal(422);
    expect(textOf(asked, '[role=alert]')).to.contain('This was changed since you opened the form.');
    expect(textOf(asked, '#autoPublish-error')).to.equal('Is now: Yes.');
    expect([has(asked, '#verified-error'), has(asked, '#verified[checked]')]).to.deep.equal([false, false]);
    expect(has(asked, '#autoPublish[checked]'), 'as it is stored now').to.equal(true);
    expect(await facts()).to.include({ verified: true, autoPublish: true });
    expect((await client.submit(asked, `${pathOf(acme)}/set`)).status).to.equal(303);
    expect(await facts()).to.include({ verified: false, autoPublish: true });
  });

  it('a form that is refused for another reason still notices a change', async () => {
    const acme = await newCompany({ plan: 'Especial' });
    const path = `${pathOf(acme)}/subscribe`;
    const shown = await client.get(path);
    const refused = await client.submit(shown, path, { startedOn: '2999-01-01' });
    await act(acme, 'subscribe', { plan: 'Pro' });
    const asked = await client.submit(refused, path, { startedOn: '2026-01-31' });
    expect(asked.status).to.equal(422);
    expect(valueIn(asked, '#startedOn')).to.equal('2026-01-31');
    expect(textOf(asked, '#plan-error')).to.equal('Is now: Pro.');
    expect((await client.submit(asked, path)).status).to.equal(303);
    const { plan } = await db().subscription.findUniqueOrThrow({
      where: { companyId: acme.id },
      include: { plan: true },
    });
    expect(plan.name).to.equal('Pro');
  });

  it('a form that was left as it is shows what others have stored, also a limit and a plan; what both changed is named', async () => {
    const acme = await newCompany();
    await act(acme, 'grant', { limit: 'unlimited' });
    const granted = await client.get(`${pathOf(acme)}/grant`);
    await act(acme, 'grant', { limit: '30' });
    const again = await client.submit(granted, `${pathOf(acme)}/grant`, { until: inDays(40) });
    expect([again.status, textOf(again, '#limit-error')]).to.deep.equal([422, 'Is now: 30.']);
    expect([valueIn(again, '#limit'), has(again, '[name=limit][checked]')]).to.deep.equal(['30', false]);

    const stamp = `Plano ${acme.id}`;
    await client.send('/plans/add', { name: stamp, limit: '30' });
    const { id } = await db().plan.findFirstOrThrow({ where: { name: stamp } });
    const planPath = `/plans/${id}/change`;
    const plan = await client.get(planPath);
    await client.send(planPath, { limit: '50', reason: 'Mais ofertas.' });
    const asked = await client.submit(plan, planPath, { apiEligible: 'true', reason: 'Com API.' });
    expect([asked.status, textOf(asked, '#limit-error')]).to.deep.equal([422, 'Is now: 50.']);
    expect((await client.submit(asked, planPath)).status).to.equal(303);
    const changed = await db().plan.findFirstOrThrow({ where: { id } });
    expect(changed).to.include({ postingLimit: 50, apiEligible: true });

    const path = `${pathOf(acme)}/districts`;
    const regions = await client.get(path);
    await act(acme, 'districts', { districts: '11,14' });
    const both = await client.submit(regions, path, { districts: '13' });
    expect(textOf(both)).to.match(/Is now: [^,.]+, [^,.]+\./);
  });

  it('a form words what others have stored as pages do: days, numbers and names', async () => {
    const acme = await newCompany();
    const path = `${pathOf(acme)}/grant`;
    await act(acme, 'grant', { limit: '30', until: '2099-01-31' });
    const shown = await client.get(path);
    await act(acme, 'grant', { limit: '12000', until: '2099-02-03' });
    const asked = await client.submit(shown, path);
    expect(['#limit-error', '#until-error'].map((error) => textOf(asked, error))).to.deep.equal([
      ...['Is now: 12,000.', 'Is now: 3 Feb 2099.'],
    ]);
    const open = await client.get(path);
    await act(acme, 'grant', { limit: 'unlimited', until: '' });
    const both = await client.submit(open, path);
    expect(['#limit-error', '#until-error'].map((error) => textOf(both, error))).to.deep.equal([
      ...['Is now: Unlimited.', 'Is now: Not set.'],
    ]);
  });

  it('the page counts jobs, and lists all valid credentials and the latest fifty ended ones, without secrets', async () => {
    const { acme } = await newJob();
    const { credentialId, secret } = await acme.issue('sandbox', 'read');
    const written = await acme.secret('production', 'write');
    await endedCredentials(acme, 60);
    const page = await client.get(pathOf(acme));
    const rowsIn = (label: string) => page.document.querySelectorAll(`[aria-label="${label}"] tbody tr`).length;
    const labels = ['Production', 'Sandbox', 'Expired and revoked credentials'];
    expect(labels.map(rowsIn)).to.deep.equal([1, 1, 50]);
    expect(textOf(page))
      .to.contain('Jobs in production: 1 pending')
      .and.contain(`vaga_test_…${secret.slice(-4)}`);
    for (const one of [secret, written]) expect(page.text).not.to.contain(one);
    expect(textOf(page)).to.contain('ended 59').and.not.contain('ended 9 ');
    expect(has(page, `a[href$="/credentials/${credentialId}/revoke"]`)).to.equal(true);
  });

  it('limits the regions in which a company may publish; with none selected it may publish everywhere', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const createIn = async (district: number) =>
      (await asWriter.create({ ...minimalJob, district_id: district })).status;
    const path = `/companies/${acme.id}/districts`;
    const shown = await client.get(path);
    expect(shown.document.querySelectorAll('[name=districts]')).to.have.length(20);
    await client.submit(shown, path, { districts: '11' });
    expect([await createIn(13), await createIn(11)]).to.deep.equal([403, 201]);
    for (const districts of ['99999', 'x']) expect((await client.send(path, { districts })).status).to.equal(422);
    const cleared = await client.get(path);
    expect(cleared.document.querySelectorAll('[name=districts][checked]')).to.have.length(1);
    for (const box of cleared.document.querySelectorAll('[name=districts]')) box.remove();
    expect((await client.submit(cleared, path)).status).to.equal(303);
    expect(await createIn(13)).to.equal(201);
  });

  it('fills in a plan’s form; a checkbox means no limit, and one beside a number is asked about; the notice names the limit', async () => {
    const isUnlimited = '[name=limit][type=checkbox][checked]';
    const pathTo = async (name: string) =>
      `/plans/${(await db().plan.findFirstOrThrow({ where: { name } })).id}/change`;
    const unlimited = await client.get(await pathTo('Especial'));
    expect([valueIn(unlimited, '#limit'), has(unlimited, isUnlimited)]).to.deep.equal(['', true]);
    const both = 'Limit must be a number or unlimited, not both.';
    const notice = async (answer: Page) => textOf(await client.follow(answer), '.notice');
    for (const typed of ['100', 'abc', '5', '1.5', '1.000', '-1', 'unlimited']) {
      unlimited.document.querySelector('#limit')?.setAttribute('value', typed);
      const asked = await client.submit(unlimited, await pathTo('Especial'), { reason: 'Menos ofertas.' });
      expect([asked.status, textOf(asked, '#limit-error')], typed).to.deep.equal([422, both]);
      expect([valueIn(asked, '#limit'), has(asked, isUnlimited)], typed).to.deep.equal([typed, true]);
    }
    const name = `Sem limite ${process.pid}`;
    expect((await client.send('/plans/add', { name, limit: '30' })).status).to.equal(303);
    const path = await pathTo(name);
    const made = await client.get(path);
    expect([valueIn(made, '#limit'), has(made, isUnlimited)]).to.deep.equal(['30', false]);
    made.document.querySelector('[name=limit][type=checkbox]')?.setAttribute('checked', '');
    const asked = await client.submit(made, path, { reason: 'Cliente grande.' });
    expect([asked.status, textOf(asked, '#limit-error')]).to.deep.equal([422, both]);
    asked.document.querySelector('#limit')?.setAttribute('value', '');
    expect(await notice(await client.submit(asked, path))).to.contain('Jobs per month: Unlimited.');
    expect(textsOf(await client.get('/plans'), 'tbody tr').join('\n')).to.contain(`${name}Unlimited`);
    expect(textsOf(await client.get('/audit?action=plan.set'), 'tbody tr')[0]).to.contain('posting limit: unlimited');
    // A refused number stays as it was typed: nothing of it is taken for it.
    const acme = pathOf(await newCompany());
    for (const [limit, said] of [
      ['1000', '1,000'],
      ['unlimited', 'Unlimited'],
    ] as const)
      expect(await notice(await client.send(`${acme}/grant`, { limit }))).to.contain(`Jobs per month: ${said}.`);
    for (const typed of ['12.000', '2,50', '-1', '−1', '-2', '-1,30', 'not unlimited', '30unlimited']) {
      const refused = await client.send('/plans/add', { name: `${name} 2`, limit: typed });
      expect([refused.status, valueIn(refused, '#limit'), has(refused, isUnlimited)]).to.deep.equal([
        422,
        typed,
        false,
      ]);
    }
    await db().plan.delete({ where: { name } });
  });

  it('a plan is added under a name of its own, and changed on its own page: neither takes the place of another plan', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const reader = await acme.reader('production');
    const plans = await db().plan.findMany({ orderBy: { id: 'asc' } });
    const refused = await client.send('/plans/add', { name: 'pro', limit: '7' });
    expect([refused.status, textOf(refused, '#name-error')]).to.deep.equal([
      422,
      'There is a plan of this name. Change that plan, or choose another name.',
    ]);
    const { id } = plans.find(({ name }) => name === 'Pro') ?? {};
    const form = await client.get(`/plans/${id}/change`);
    expect([has(form, '[name=name]'), has(form, '#reason[required]')]).to.deep.equal([false, true]);
    const same = await client.submit(form, `/plans/${id}/change`, { name: 'Basico', reason: 'Engano.' });
    expect([same.status, valueIn(same, '[name=reason]')]).to.deep.equal([422, 'Engano.']);
    expect(textOf(same, '[role=alert]')).to.match(/^Nothing has changed/);
    expect((await reader.get('/account')).status).to.equal(200);
    expect(await db().plan.findMany({ orderBy: { id: 'asc' } })).to.deep.equal(plans);
  });

  it('a page about one subject has short labels for its actions in both languages, and shows no command’s code', async () => {
    const { adminPath } = await newJob();
    const acme = await newCompany();
    for (const [language, company, job, button] of [
      ['en', ['Change regions', 'Change plan', 'Suspend', 'Add person'], 'Withdraw', 'Save regions'],
      [
        'pt',
        ['Alterar regiões', 'Alterar plano', 'Suspender empresa', 'Adicionar pessoa'],
        'Retirar esta oferta',
        'Guardar regiões',
      ],
    ] as const) {
      const read = (path: string) => client.get(path, { 'Accept-Language': language });
      expect(textsOf(await read(pathOf(acme)), '.actions > a')).to.include.members([...company]);
      expect(textsOf(await read(adminPath), '.actions > a')).to.include(job);
      expect(textOf(await read(`${pathOf(acme)}/suspend`), 'main button')).to.equal(company[2]);
      expect(textOf(await read(`${pathOf(acme)}/districts`), 'main button')).to.equal(button);
      for (const path of ['/companies', '/plans', '/plans/add', `${pathOf(acme)}/grant`])
        expect(textOf(await read(path), 'main'), path).not.to.match(/(?<![\da-f]{4})-1|none, or|0 ends/);
    }
  });

  it('filters the audit trail by actor, action, company and minutes', async () => {
    const [acme, other] = [await newCompany({ name: 'Auditada' }), await newCompany()];
    for (const company of [acme, other]) await company.issue('sandbox', 'read');
    const rowsOf = async (query: string) => textsOf(await client.get(`/audit?${query}`), 'tbody tr');
    for (const query of ['', 'actorKind=nobody&action=nothing&before=y'])
      expect((await rowsOf(query)).length, query).to.be.above(3);
    await db().auditEntry.updateMany({ where: { companyId: acme.id }, data: { actor: 'operator:ana' } });
    const [issued] = await rowsOf(`companyId=${acme.id}`);
    expect(issued).to.contain('Credential issued').and.contain('Auditada').and.contain(' by Operator (ana): ');
    for (const [query, count] of [
      ['', 2],
      ['&action=company.created', 1],
      ['&actorKind=operator', 2],
      ['&actor=operator:ana', 2],
      ['&actor=operator', 0],
      ['&actorKind=administrator', 0],
      ['&to=2001-01-01T10:42', 0],
      ['&from=2001-01-01T10:42', 2],
    ] as const)
      expect(await rowsOf(`companyId=${acme.id}${query}`), query).to.have.length(count);
    const email = await newUser(acme);
    const { id } = await db().user.findFirstOrThrow({ where: { email } });
    await db().auditEntry.updateMany({
      where: { companyId: acme.id, action: 'credential.issued' },
      data: { actor: `user:${id}` },
    });
    const page = await client.get(`/audit?companyId=${acme.id}&actor=${encodeURIComponent(email.toUpperCase())}`);
    const own = [...page.document.querySelectorAll('tbody tr')];
    const sentences = own.map((row) => row.querySelector('th')?.textContent);
    expect(sentences.join('\n')).to.include(`Credential issued by ${email}: `);
    for (const row of own)
      expect([...row.querySelectorAll('a')].map((link) => link.getAttribute('href'))).to.include(
        `/admin/audit?actor=${encodeURIComponent(email)}`,
      );
    expect(await rowsOf('actor=nobody@example.com')).to.deep.equal([]);
  });
});
