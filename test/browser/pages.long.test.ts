import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { addPlan } from '../../src/operations/plans/people/change-plan.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { actionContext, db, later, newCompany, newJob, server, startWholeApp } from '../helper/fixtures.ts';
import { newAdministrator, newUser, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { describeInBrowser, translate } from './browser.ts';

interface Box {
  readonly textContent: string;
  getBoundingClientRect(): { top: number; bottom: number; height: number };
  querySelector(selector: string): Box | null;
}

const isInSight = (element: Box): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= 720;
};

/** Where the first and the second letter of some words are, each time that they are in sight. */
const placesOf = (words: string): string => `(() => {
  const places = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf(${JSON.stringify(words)});
    if (at < 0) continue;
    const boxes = [at, at + 1].map((letter) => {
      const range = document.createRange();
      range.setStart(texts.currentNode, letter);
      range.setEnd(texts.currentNode, letter + 1);
      return range.getBoundingClientRect();
    });
    if (boxes[0].width > 0) places.push(boxes.map(({ x }) => x));
  }
  return places;
})()`;

/** Whether the focus has left the page, and the focused control if something covers the middle of what is in the window. */
const hiddenFocus = `(() => {
  const one = document.activeElement;
  const { x, width, top, bottom } = one.getBoundingClientRect();
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const isSeen = one === document.body || one.contains(document.elementFromPoint(x + width / 2, y));
  return [one === document.body, isSeen ? '' : one.outerHTML.slice(0, 120)];
})()`;

/** The rows of a page's tables: the address that a row leads to, unless the row can be selected, and its visible texts. How long ago a time was is in the time itself. */
const rowsShown = `[...document.querySelectorAll('main tbody tr:not(.chart *)')].map((row) => {
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const shown = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const box = document.createRange();
    box.selectNode(texts.currentNode);
    const isSeen = box.getClientRects().length > 0 && !parentElement.closest('.visually-hidden, time > small');
    if (data.trim() && isSeen) shown.push(data.trim());
  }
  return [row.querySelector('th > a:first-child')?.getAttribute('href'), shown];
})`;

/** A long word without a place to break. */
const word = (length: number): string => 'W'.repeat(length);
const plan = word(100);
const email = `${word(60)}@${`${'w'.repeat(60)}.`.repeat(3)}example.com`;

/** Each part is small enough for the time of one test, even on a busy machine. */
const parts = [
  ...(['/dashboard credentials', '/dashboard jobs', '/dashboard account'] as const),
  ...(['/admin companies', '/admin company', '/admin jobs', '/admin lists'] as const),
];

/** The paths of a company's pages by part, where every text is one long word. */
async function newWordyCompany() {
  await addPlan(actionContext(), { name: plan, limit: 10, apiEligible: true });
  const { id: companyId } = await newCompany({ name: word(255), plan });
  await createUser(actionContext(), { companyId, email, role: 'main', password });
  const facts = { companyId, access: 'write', label: word(100) } as const;
  const { credentialId } = await issueCredential(actionContext(), { ...facts, environment: 'sandbox', days: 7 });
  const { secret } = await issueCredential(actionContext(), { ...facts, environment: 'production', days: 30 });
  const { server, settle } = await startWholeApp();
  const writer = new RestClient(server, 'production', secret);
  const post = async () => (await writer.create({ ...minimalJob, title: word(255) })).body.data.id;
  const [job] = [await post(), await post()];
  await settle();
  const review = { companyId, environment: 'production', jobId: BigInt(job), reason: word(255) } as const;
  await denyJob(actionContext(), review);
  const [company, credential] = [`/companies/${companyId}`, `/credentials/${credentialId}`];
  const jobs = `${company}/production/jobs`;
  const person = `${company}/people/${encodeURIComponent(email)}`;
  const other = await createUser(actionContext(), { companyId, email: email.replace(/^./, 'x'), role: 'sub' });
  const link = (path = '') => path.replace(/^.(dashboard|admin)/, '');
  return {
    '/dashboard credentials': `/credentials /credentials/issue ${credential}/replace ${credential}/revoke /sandbox`,
    '/dashboard jobs': `
      /jobs?environment=production /jobs?environment=sandbox /jobs/production/${job} /jobs/production/${job}/update
      /requests?environment=production /requests?status=6xx`,
    '/dashboard account': `/activity /account ${link(other.path)} ${link(other.path)}x /nothing`,
    '/admin companies': `
      /find /find?text=${word(255)} /find?text=nobody-has-this-name /companies /companies?text=nobody-has-this-name
      /companies/create`,
    '/admin company': `
      ${company} ${company}/set ${company}/suspend ${company}/districts ${company}/create-user ${person}/set-password
      ${person}/unlock ${person}/remove`,
    '/admin jobs': `/jobs?environment=production /requests ${jobs}/${job} ${jobs}/${job}/remove /review?sort=newest`,
    '/admin lists': '/administrators /plans /plans/add /categories /audit /maintenance/start /account /nothing',
  } satisfies Record<(typeof parts)[number], string>;
}

describeInBrowser('every page of the portals, with words of 255 characters without a space', (visitor) => {
  let pages: Awaited<ReturnType<typeof newWordyCompany>>;
  before(async () => {
    pages = await newWordyCompany();
  });
  after(async () => {
    await db().subscription.deleteMany({ where: { plan: { name: plan } } });
    await db().plan.deleteMany({ where: { name: plan } });
  });

  for (const language of ['en', 'pt'] as const) {
    const signIn = async (base: '/dashboard' | '/admin') =>
      visitor().signIn(base, base === '/admin' ? await newAdministrator() : email, language);
    const look = async (name: string) => {
      await visitor().openDetails();
      await visitor().look(`${name}-${language}`);
    };

    for (const part of parts)
      it(`has no axe violations and fits the window: ${part} ${language}`, async () => {
        const base = part.startsWith('/admin') ? '/admin' : '/dashboard';
        await signIn(base);
        for (const [at, path] of pages[part].trim().split(/\s+/).entries()) {
          await visitor().goTo(base + path);
          // File names have a maximum length; words and secrets in the path do not matter.
          const name = path.replace(/\w{30,}/g, 'x').replace(/\W+/g, '-');
          await look(`${part.slice(1).replace(' ', '-')}-${at}-${name}`);
        }
      });

    for (const base of ['/dashboard', '/admin'] as const)
      it(`has no axe violations and fits the window: ${base} after signing in and out ${language}`, async () => {
        await signIn(base);
        await look(base.slice(1));
        await visitor().press(translate[language]('Sign out'));
        await look(`${base.slice(1)}-sign-in`);
        if (base === '/admin') return;
        await visitor().signIn(base, await newUser(await newCompany({ plan: null, approved: false })), language);
        await look('dashboard-closed');
      });
  }
});

describeInBrowser('the portals in a browser', (visitor) => {
  it('issues and copies a credential that works over REST and MCP', async () => {
    const { page } = visitor();
    await visitor().signIn('/dashboard', await newUser(await newCompany()));
    await visitor().goTo('/dashboard/credentials');
    await visitor().follow('Issue a credential');
    await page.getByLabel('Label').fill('website');
    await page.getByLabel('Access').selectOption('write');
    await page.getByLabel('Your password').fill(password);
    await visitor().press('Issue');
    const secret = await visitor().text('#secret');
    expect(await page.evaluate('document.activeElement.textContent')).to.match(/^Copy the secret now/);
    await visitor().look('secret');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
    expect((await new RestClient(server(), 'sandbox', secret).get('/account')).status).to.equal(200);
    const settings = (await page.locator('#Cursor').textContent()) ?? '';
    const mcp = JSON.parse(settings.replace(/\$\{env:TOKEN\}/, () => secret)).mcpServers.vaga;
    const answer = await fetch(mcp.url, {
      method: 'POST',
      headers: { ...mcp.headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }),
    });
    expect(((await answer.json()) as { result: { isError: boolean } }).result.isError).to.equal(false);
    // The form, sent again within two minutes, gets its answer again.
    await later(121_000, () => page.reload());
    expect(await visitor().text('body')).not.to.contain(secret);
  });

  const longName = 'Sociedade Portuguesa de Manutenção Industrial e Reparações Navais, S.A.';
  for (const [base, widthMin, account] of [
    ['/dashboard', 1000, async () => newUser(await newCompany({ name: longName }))],
    ['/admin', 768, newAdministrator],
  ] as const)
    for (const language of ['en', 'pt'] as const)
      it(`from ${widthMin} px on, the header has one line above one of navigation, even with a long name: ${base} ${language}`, async () => {
        const { page } = visitor();
        await visitor().signIn(base, await account(), language);
        const heightOf = async (selector: string) => (await page.locator(selector).last().boundingBox())?.height ?? 0;
        for (const width of [768, 900, 1000, 1100, 1200, 1300, 1400].filter((width) => width >= widthMin)) {
          await page.setViewportSize({ width, height: 800 });
          const button = await heightOf('header .person form button');
          expect(await heightOf('header .person'), `${width} px`).to.be.closeTo(button, 2);
          const above = (await heightOf('header')) - (await heightOf('header nav'));
          expect(above, `${width} px`).to.be.below(2 * button);
          expect(await heightOf('header nav'), `${width} px`).to.be.below(3 * button);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await heightOf('header'), 'one line on a phone').to.be.below(60);
        expect(await page.locator('header nav').isVisible()).to.equal(false);
        await page.getByText('Menu').click();
        await page.locator('header nav').waitFor();
      });

  it('the overview fits two screens of a phone, and a row of a list is a card of two lines', async () => {
    const { acme } = await newJob();
    for (let n = 0; n < 3; n++) await acme.issue('sandbox', 'write', 7);
    const { page } = visitor();
    await visitor().signIn('/dashboard', await newUser(acme));
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor().goTo('/dashboard');
    expect(await page.evaluate('document.documentElement.scrollHeight')).to.be.at.most(1250);
    const postings = page.locator('figure:has(#postings-title)');
    expect(await postings.locator('svg').first().isVisible(), 'drawn').to.equal(false);
    await postings.locator('summary').click();
    expect((await postings.locator('thead').innerText()).trim().split(/\s+/)).to.deep.equal(['Day', 'Jobs']);
    await postings.locator('tbody a').first().click();
    await page.waitForURL(/jobs.environment=production&from=/);
    await visitor().goTo('/dashboard/jobs');
    const row = page.locator('tbody tr').first();
    const { height = 0 } = (await row.boundingBox()) ?? {};
    expect(height).to.be.below(80);
    expect((await row.innerText()).split(/\n/)).to.have.length(2);
    expect(await row.locator('time').last().getAttribute('title')).to.match(/\d\d:\d\d:\d\d Europe\/Lisbon$/);
  });

  it('on a phone, a row without its own page is a card of two lines too, with its actions below', async () => {
    const { acme } = await newJob();
    await newUser(acme, 'sub');
    await acme.issue('sandbox', 'write', 7);
    const { server, settle } = await startWholeApp();
    await (await acme.writer('production', server)).create({});
    await settle();
    const { page } = visitor();
    await visitor().signIn('/admin', await newAdministrator());
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [
      ...['plans', 'categories', 'administrators', 'requests', `audit?companyId=${acme.id}`, `companies/${acme.id}`],
    ]) {
      await visitor().goTo(`/admin/${path}`);
      await visitor().openDetails();
      const cards = await page.locator('tbody tr').evaluateAll<[string, number][], Box>((rows) =>
        rows.map((row) => {
          const actions = row.querySelector('.actions')?.getBoundingClientRect().height ?? 0;
          return [row.textContent, row.getBoundingClientRect().height - actions];
        }),
      );
      expect(cards, path).not.to.be.empty;
      // Two lines are 70 px; the second is one text, which may wrap: the three times of a credential onto two more lines.
      const heightMax = ({ length }: string) => (length > 120 ? 124 : length > 60 ? 100 : 78);
      for (const [text, height] of cards) expect(height, `${path}: ${text}`).to.be.at.most(heightMax(text));
    }
  });

  for (const base of ['/dashboard', '/admin'] as const)
    it(`at 320 px, a row shows all that it shows at 1280 px, or leads to a page that shows it: ${base}`, async () => {
      const { acme, ref, path, adminPath } = await newJob('production', { title: `Pintor ${randomUUID()}` });
      await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
      for (const environment of ['sandbox', 'production'] as const) await acme.issue(environment, 'write', 365);
      await newUser(acme, 'sub');
      const { server, settle } = await startWholeApp();
      await (await acme.writer('production', server)).create({});
      await settle();
      const paths =
        base === '/admin'
          ? `companies/${acme.id} ${adminPath.slice(1)} audit?companyId=${acme.id} administrators plans categories
             companies?text=${acme.id} jobs?companyId=${acme.id} requests?companyId=${acme.id} find?text=Oficina review`
          : `activity credentials people jobs requests ${path.slice(1)}`;
      const { page } = visitor();
      await visitor().signIn(base, base === '/admin' ? await newAdministrator() : await newUser(acme));
      for (const path of paths.split(/\s+/)) {
        await visitor().goTo(`${base}/${path}`);
        await visitor().openDetails();
        const shownAt = async (width: number) => {
          await page.setViewportSize({ width, height: 800 });
          return page.evaluate<[href: string | undefined, texts: string[]][]>(rowsShown);
        };
        const wide = await shownAt(1280);
        const narrow = await shownAt(320);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.equal(320);
        expect(wide, path).to.not.be.empty;
        for (const [at, [href, texts]] of wide.slice(0, 5).entries()) {
          const left = texts.filter((text) => text !== '–' && !narrow[at]?.[1].includes(text));
          if (left.length === 0) continue;
          expect(href, `${path}: ${left.join(' | ')}`).to.be.a('string');
          await visitor().goTo(href ?? '');
          const whole = (await visitor().text()).toLowerCase();
          for (const text of left) expect(whole, `${path} to ${href}`).to.contain(text.toLowerCase());
        }
      }
    });

  it('the groups of a long job are beside each other without holes', async () => {
    const { acme, path } = await newJob('production', fullJob());
    await visitor().signIn('/dashboard', await newUser(acme));
    const { page } = visitor();
    await page.setViewportSize({ width: 1280, height: 720 });
    await visitor().goTo(`/dashboard${path}/update`);
    const groups = page.locator('.groups > fieldset');
    await groups.first().evaluate<void, { style: { minHeight: string } }>((group) => {
      group.style.minHeight = '3000px';
    });
    const boxes = await Promise.all((await groups.all()).map((group) => group.boundingBox()));
    for (const [at, box] of boxes.slice(2).entries()) {
      const { y = 0, height = 0 } = boxes[at + 1] ?? {};
      expect((box?.y ?? 0) - y - height).to.be.within(0, 30);
    }
  });

  for (const language of ['en', 'pt'] as const)
    it(`creates a person, who sets a password with the link: ${language}`, async () => {
      const t = translate[language];
      const { page } = visitor();
      const { id } = await newCompany();
      await visitor().signIn('/admin', await newAdministrator(), language);
      await visitor().goTo(`/admin/companies/${id}/create-user`);
      await page.getByLabel(t('E-mail address')).fill(`ana-${language}-${id}@example.com`);
      await page.locator('#role').selectOption('sub');
      await page.getByLabel(t('Your password')).fill(password);
      await visitor().press(t('Add person'));
      expect(await page.evaluate('document.activeElement.className')).to.equal('notice');
      await visitor().look(`password-link-${language}`);
      await page.goto(await visitor().text('#secret'));
      await visitor().look(`set-password-${language}`);
      const typed = 'uma-senha-bem-diferente';
      const labels = ['New password', 'Confirm new password'] as const;
      for (const label of labels) await page.getByLabel(t(label), { exact: true }).fill(`${typed} ${label}`);
      await visitor().press(t('Set password'));
      expect(await page.evaluate('document.activeElement.id'), 'both are empty again').to.equal('newPassword');
      for (const label of labels) await page.getByLabel(t(label), { exact: true }).fill(typed);
      await visitor().press(t('Set password'));
      expect(await visitor().text()).to.contain(t('Your password is set.'));
      await visitor().goTo(`/dashboard/set-password?link=none`);
      await visitor().look(`set-password-ended-${language}`);
    });

  it('a denied job is mended without scrolling to Save, and the reason stays in sight beside the fields', async () => {
    const { acme, ref, path, statusOf } = await newJob('production', fullJob());
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    await visitor().signIn('/dashboard', await newUser(acme));
    const { page } = visitor();
    const save = page.getByRole('button', { name: 'Save' });
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      await visitor().goTo(`/dashboard${path}/update`);
      expect(await save.evaluate(isInSight), `${width}`).to.equal(true);
    }
    await page.getByLabel('Minimum salary').fill('1250');
    await visitor().press('Preview');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Preview. Nothing was saved.');
    const seen = [save, page.getByText('Denied: Falta o salário.')].map((one) => one.evaluate(isInSight));
    expect(await Promise.all(seen)).to.deep.equal([true, true]);
    await visitor().press('Save');
    expect(await statusOf()).to.equal('pending');
  });

  for (const [width, height] of [
    [1280, 900],
    [1280, 720],
    [390, 740],
    [640, 400],
  ] as const)
    it(`tabbing never hides the focused control behind a bar that stays in sight: ${width} x ${height} px`, async () => {
      const { page } = visitor();
      const denied = await newJob('production', fullJob());
      await denyJob(actionContext(), { ...denied.ref, reason: 'Falta o salário. '.repeat(40) });
      const { adminPath } = await newJob();
      await page.setViewportSize({ width, height });
      for (const [base, account, path] of [
        ['/dashboard', await newUser(denied.acme), `${denied.path}/update`],
        ['/admin', await newAdministrator(), adminPath],
      ] as const) {
        await visitor().signIn(base, account);
        await visitor().goTo(base + path);
        // A button that takes no clicks yet is not found at its place.
        await visitor().untilSeen();
        for (const key of ['Tab', 'Shift+Tab'])
          for (let n = 0, hasLeft = false; !hasLeft || n < 3; n++) {
            await page.keyboard.press(key);
            const [isLeft, hidden] = await page.evaluate<[boolean, string]>(hiddenFocus);
            expect(hidden, `${path}, ${key} ${n}`).to.equal('');
            hasLeft = isLeft;
          }
      }
    });

  it('approves one job and denies another, and the API shows both', async () => {
    await visitor().signIn('/admin', await newAdministrator());
    const [good, bad] = [await newJob(), await newJob()];
    await visitor().goTo('/admin/review');
    await visitor().look('review');
    const keys = visitor().page.locator('.keys');
    expect(await keys.isVisible()).to.equal(true);
    await visitor().page.setViewportSize({ width: 390, height: 844 });
    expect(await keys.isVisible(), 'on a phone').to.equal(false);
    await visitor().page.setViewportSize({ width: 1280, height: 720 });
    await visitor().goTo(`/admin${good.adminPath}`);
    await visitor().look('review-decision');
    await visitor().press('Approve and publish');
    expect(await good.statusOf()).to.equal('active');
    await visitor().goTo(`/admin${bad.adminPath}`);
    await visitor().page.getByLabel('Reason for denial').fill('Falta o salário.');
    await visitor().press('Deny');
    expect(await bad.statusOf()).to.equal('denied');
  });

  it('reviewing by keyboard takes at most two shortcuts a job; every decision is in view, and the focus moves to its result', async () => {
    const { page } = visitor();
    await page.setViewportSize({ width: 1280, height: 720 });
    const own = `Fila ${randomUUID().slice(0, 8)}`;
    // The longest list of reasons to choose from.
    for (let n = 0; n < 5; n++)
      await denyJob(actionContext(), { ...(await newJob()).ref, reason: `${n} `.padEnd(80, 'falta o salário ') });
    const jobs = [];
    for (const title of ['A', 'B', 'C']) jobs.push(await newJob('production', { title: `${own} ${title}` }));
    await visitor().signIn('/admin', await newAdministrator());
    await visitor().goTo(`/admin/review?text=${own.replace(' ', '+')}`);
    const press = async (key: string) => {
      await visitor().untilSeen();
      const loaded = page.waitForEvent('load');
      await visitor().pressAccessKey(key);
      await loaded;
    };
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await press('n');
    expect(await visitor().text('#review')).to.equal('Review: 1 of 3');
    for (const control of [/^Approve/, /^Deny/]) {
      const { y = 0, height = 0 } = (await page.getByRole('button', { name: control }).boundingBox()) ?? {};
      expect([y > 0, y + height < 720], String(control)).to.deep.equal([true, true]);
    }
    expect(await page.getByRole('link', { name: 'Deny', exact: true }).count(), 'its form is in sight').to.equal(0);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await page.getByRole('link', { name: 'Skip', exact: true }).evaluate(isInSight)).to.equal(true);
    await visitor().look('review-pass');
    await press('a');
    expect(await focused()).to.include(`Approved and published: ${own} A.`);
    await press('u');
    expect([await focused(), await visitor().text('#review')]).to.deep.equal([
      ...[`Waits for review again: ${own} A.`, 'Review: 1 of 3'],
    ]);
    await visitor().look('review-undone');
    await press('a');
    await visitor().pressAccessKey('1');
    await press('d');
    expect(await focused()).to.include(`Denied: ${own} B.`);
    await press('s');
    expect(await visitor().text('tbody th')).to.equal(`${own} C`);
    expect(await Promise.all(jobs.map(({ statusOf }) => statusOf()))).to.deep.equal(['active', 'denied', 'pending']);
    await page.getByLabel(`Select ${own} C`).focus();
    await page.keyboard.press('Space');
    await press('a');
    expect(await focused()).to.include(`Approved and published: ${own} C.`);
    await visitor().look('review-selected');
  });

  for (const [width, language] of [
    [390, 'en'],
    [320, 'pt'],
  ] as const)
    it(`on a phone, every decision is in view, and Deny leads to its form, whose rows are large enough to tap: ${width} px`, async () => {
      const { page } = visitor();
      const t = translate[language];
      for (let n = 0; n < 5; n++) await denyJob(actionContext(), { ...(await newJob()).ref, reason: `${n}. Falta.` });
      const job = await newJob('production', { title: 'Técnico de manutenção industrial para o Porto' });
      await visitor().signIn('/admin', await newAdministrator(), language);
      await page.setViewportSize({ width, height: 720 });
      await visitor().goTo(`/admin${job.adminPath}`);
      const deny = page.getByRole('link', { name: t('Deny'), exact: true });
      for (const control of [
        page.getByRole('button', { name: t('Approve and publish') }),
        page.getByRole('link', { name: t('Skip'), exact: true }),
        deny,
      ])
        expect(await control.evaluate(isInSight), String(control)).to.equal(true);
      await deny.focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.querySelectorAll("[name=usual]").length')).to.equal(5);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      const reason = page.locator('[name=usual]').first();
      expect([await reason.isChecked(), await reason.evaluate(isInSight)]).to.deep.equal([true, true]);
      for (const label of await page.locator('.review fieldset label').all())
        expect((await label.boundingBox())?.height).to.be.at.least(44);
      await visitor().press(t('Deny'));
      expect(await job.statusOf()).to.equal('denied');
    });

  for (const [title, turning] of Object.entries({
    'as it is': '\u202e',
    'after the end of an isolate': '\u2069\u202e',
  }))
    it(`a title that turns its direction around turns no other words: ${title}`, async () => {
      const { page } = visitor();
      const { adminPath, acme } = await newJob('production', { title: `Técnico ${turning}odatnemalap` });
      const expectInOrder = async (words: string) => {
        const places = await page.evaluate<number[][]>(placesOf(words));
        expect(places, words).not.to.be.empty;
        for (const [first = 0, second = 0] of places) expect(first, words).to.be.below(second);
      };
      await visitor().signIn('/admin', await newAdministrator());
      await visitor().goTo(`/admin${adminPath}`);
      await expectInOrder('Oficina Exemplo');
      await page.getByLabel('Reason for denial').fill('Falta o salário.');
      await visitor().press('Deny');
      await expectInOrder('The company sees the reason.');
      await visitor().goTo(`/admin/audit?companyId=${acme.id}`);
      await expectInOrder('Falta o salário.');
    });

  it('the order of the review queue is on one line in Portuguese too, and a printed job names its company', async () => {
    const { page } = visitor();
    const { acme, path, adminPath } = await newJob();
    await visitor().signIn('/admin', await newAdministrator(), 'pt');
    await visitor().goTo('/admin/review');
    const heights = await page
      .locator('.filter :is(select, input)')
      .evaluateAll<number[], Box>((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().height)));
    expect(new Set(heights).size, String(heights)).to.equal(1);
    await visitor().goTo(`/admin${adminPath}`);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 600, height: 900 });
    expect(await visitor().text()).to.include('Oficina Exemplo');
    await page.emulateMedia({ media: 'screen' });
    await visitor().signIn('/dashboard', await newUser(acme), 'pt');
    await visitor().goTo(`/dashboard${path}`);
    await page.emulateMedia({ media: 'print' });
    expect(await visitor().text()).to.match(/^Oficina Exemplo/);
  });

  it('a half-filled form keeps its values in another language', async () => {
    const { page } = visitor();
    await visitor().signIn('/admin', await newAdministrator());
    await visitor().goTo('/admin/plans/add');
    await page.locator('#name').fill('Plano <novo>');
    expect(await page.locator('header [name=language]').isVisible()).to.equal(false);
    await visitor().press('Português');
    expect(await page.locator('#name').inputValue()).to.equal('Plano <novo>');
    await visitor().look('form-in-portuguese');
    // Enter sends the form itself.
    const loaded = page.waitForEvent('load');
    await page.locator('#name').press('Enter');
    await loaded;
    expect(await page.locator('[aria-invalid]').count()).to.equal(1);
  });

  it('in colours of the reader, badges, an empty bar and the mark of what opens are seen', async () => {
    const { page } = visitor();
    await visitor().signIn('/dashboard', await newUser(await newCompany()));
    await page.emulateMedia({ forcedColors: 'active' });
    for (const selector of ['.badge', 'meter'])
      expect(await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).borderTopStyle`)).to.equal(
        'solid',
      );
    await visitor().goTo('/dashboard/jobs');
    const colours = `(() => {
      const summary = document.querySelector('main summary');
      return [getComputedStyle(summary, '::after'), getComputedStyle(document.body)].map((one) => one.backgroundColor);
    })()`;
    const [mark, behind] = await page.evaluate<string[]>(colours);
    expect(mark).to.not.equal(behind);
  });
});
