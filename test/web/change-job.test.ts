import { expect } from 'chai';
import type { Context } from '../../src/context.ts';
import { secretMessage } from '../../src/domain/token.ts';
import {
  approveCompany,
  type CompanyRef,
  changeCompany,
  suspendCompany,
  withdrawApproval,
} from '../../src/operations/companies/people/change-company.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { setDistricts } from '../../src/operations/companies/people/set-districts.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { jobRules } from '../../src/operations/jobs/job.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { addCategory, deactivateCategory } from '../../src/operations/reference/people/change-category.ts';
import { jobGroups } from '../../src/web/dashboard/company-job-page.tsx';
import { lastAudit } from '../helper/audit-trail.ts';
import { secret } from '../helper/declared-inputs.ts';
import { actionContext, db, later, newCompany, newJob } from '../helper/fixtures.ts';
import {
  asAdministrator,
  has,
  linkIn,
  newUser,
  type Page,
  PageClient,
  password,
  textOf,
  textsOf,
  valueIn,
} from '../helper/page-client.ts';
import { fullJob, inDays, largeJob, minimalJob, patchesAgainstRules } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

const portuguese = { 'Accept-Language': 'pt' };

/** The form of a new job, and how to send it. */
async function opened(environment: 'production' | 'sandbox' = 'production', fields: object = {}) {
  const job = await newJob(environment, fields);
  const email = await newUser(job.acme);
  const main = await PageClient.signedIn('company', email);
  const path = `${job.path}/update`;
  const form = await main.get(path);
  /** A form is sent once: without one it is opened anew. */
  const save = async (typed: Record<string, string>, page?: Page) =>
    main.submit(
      page ?? (await main.get(path)),
      path,
      Object.fromEntries(Object.entries(typed).map(([field, text]) => [`job.${field}`, text])),
    );
  const stored = async () => (await job.writer.get(`/jobs/${job.id}`)).body.data;
  return { ...job, email, main, form, formPath: path, save, stored };
}

const deny = (ref: Awaited<ReturnType<typeof newJob>>['ref'], reason = 'Falta o salário.') =>
  denyJob(actionContext(), { ...ref, reason });

/** The fields that a page marks as wrong. */
const markedIn = ({ document }: Page): string[] =>
  [...document.querySelectorAll('[aria-invalid=true]')].map((field) => (field.getAttribute('name') ?? '').slice(4));

const errorIn = (page: Page, field: string): string => textOf(page, `[id="job.${field}-error"]`);

describe('changing a job in the dashboard', () => {
  it('an owner comes from the denial to a job in review with at most four clicks, and reads the reason beside the form', async () => {
    const { main, ref, statusOf, stored } = await opened();
    await deny(ref);
    const overview = await main.get('/');
    let clicks = 0;
    const click = (page: Page, selector: string) => {
      clicks += 1;
      return main.get(linkIn(page, selector));
    };
    const job = await click(overview, '.alert li a');
    const form = await click(job, '#denial a[href$="/update"]');
    expect(textOf(form, '.alert')).to.equal('Denied: Falta o salário.');
    clicks += 1;
    const done = await main.follow(
      await main.submit(form, `/dashboard/jobs/production/${ref.jobId}/update`, {
        'job.salary_min': '1 250,50',
        'job.salary_type': 'monthly',
      }),
    );
    expect(textOf(done, '.notice')).to.equal('The job is changed and waits for review.');
    expect([clicks, await statusOf(), (await stored()).salary_min]).to.deep.equal([3, 'pending', '1250.50']);
  });

  it('a job that is withdrawn after its denial is shown as withdrawn only; its history keeps the reason', async () => {
    const { adminPath, formPath, id, main, path, ref, writer } = await opened();
    await deny(ref);
    await writer.withdraw(id);
    const form = await main.get(formPath);
    expect(textOf(form, 'article')).to.include('The job stays withdrawn').and.not.include('Denied');
    for (const page of [await main.get(path), await (await asAdministrator()).get(adminPath)]) {
      expect(textOf(page, 'main').split('Falta o salário.')).to.have.length(2);
      expect(textOf(page, 'tbody')).to.include('Falta o salário.');
    }
  });

  it('shows every field of the contract with its label, and its value', async () => {
    const { form, main, formPath } = await opened('production', fullJob());
    const pt = await main.get(formPath, portuguese);
    for (const [field, { label, required, requiredWhen, default: initial }] of jobRules) {
      const said = required || requiredWhen || initial !== undefined ? label : `${label} (optional)`;
      expect(textOf(form, `label[for="job.${field}"]`), field).to.equal(said);
      expect(textOf(pt, `label[for="job.${field}"]`), field).to.not.equal('');
    }
    expect(textsOf(form, '[id="job.district_id"] option')).to.include('Porto');
    expect(textsOf(form, '[id="job.category_id"] option').join()).to.match(/\w: \w/);
    expect(textsOf(pt, '[id="job.contract_type"] option')).to.include('Tempo inteiro');
    expect(textOf(form, '[id="job.contact_email-hint"]')).to.equal(
      'Required when Application method is E-mail address. At most 255 characters.',
    );
    const shown = (field: string) => valueIn(form, `[id="job.${field}"]`);
    expect(['title', 'salary_min', 'salary_negotiable', 'education_details'].map(shown)).to.deep.equal([
      'Eletricista',
      '1200.5',
      'true',
      '12.º ano',
    ]);
    expect(valueIn(pt, '[id="job.salary_min"]')).to.equal('1200,5');
  });

  it('has its fields in four groups, each once, and those of no group after them', async () => {
    const { form, main, formPath } = await opened();
    const legends = (page: Page) => textsOf(page, '.groups > fieldset > legend');
    expect(legends(form)).to.deep.equal(['Text', 'Conditions', 'Salary', 'Application']);
    expect(legends(await main.get(formPath, portuguese))).to.deep.equal([
      'Texto',
      'Condições',
      'Salário',
      'Candidatura',
    ]);
    const named = [...form.document.querySelectorAll('[name^="job."]')].map((field) => field.getAttribute('name'));
    expect(named).to.have.members([...jobRules.keys()].map((field) => `job.${field}`));
    const grouped = Object.values(jobGroups).flat();
    expect(new Set(grouped).size).to.equal(grouped.length);
    for (const field of jobRules.keys())
      expect(has(form, `.groups [name="job.${field}"]`), field).to.equal(grouped.includes(field));
  });

  it('writes what a PATCH of the same values writes, with the person in history and audit; the quota stays', async () => {
    const { acme, id, main, save, stored, path, writer } = await opened('production', fullJob());
    const used = async () => (await writer.get('/account')).body.data.used;
    const before = { job: await stored(), used: await used() };
    const answer = await save({
      title: 'Eletricista sénior',
      valid_until: '',
      language_requirements: 'Português C2\n\nInglês B2',
      salary_negotiable: 'false',
      work_modality: '',
      experience_years: '0',
      requirements: '',
    });
    expect(answer.status).to.equal(303);
    const { updated_at: _, ...now } = await stored();
    const { updated_at: __, ...then } = before.job;
    expect(now).to.deep.equal({
      ...then,
      title: 'Eletricista sénior',
      valid_until: null,
      language_requirements: ['Português C2', 'Inglês B2'],
      salary_negotiable: false,
      work_modality: null,
      experience_years: 0,
      requirements: null,
    });
    expect(await used()).to.equal(before.used);
    const { action, actor, details } = await lastAudit(acme.id);
    expect([action, actor.replace(/\d+/, 'n')]).to.deep.equal(['job.updated', 'user:n']);
    expect(details).to.have.property('job_id', id);
    const page = await main.get(path);
    const email = textOf(page, '.person a').replace(/^.*: /, '');
    expect(textOf(page, 'tbody tr:last-child')).to.match(new RegExp(`Job changed.*Pending.*${email}`));
  });

  it('what was not touched stays as it is, whatever a form makes of it', async () => {
    const odd = {
      ...fullJob(),
      contact_instructions: '\nLinha\r\nOutra\rMais\n',
      title: 'Duas\nlinhas',
      remote_policy: '\r\n\r\nCasa',
      requirements: '  null\n',
      education_details: [' a\nb ', '', 'c'],
      salary_max: 1500.1,
      body: 'Uma linha\r\nduas & <três>',
    };
    const { save, stored, acme, form, main } = await opened('production', odd);
    await db().category.update({ where: { id: odd.category_id }, data: { active: false } });
    try {
      const before = await stored();
      const unchanged = await save({});
      expect([unchanged.status, textOf(unchanged, '[role=alert]')]).to.deep.equal([
        422,
        'You have not changed anything.',
      ]);
      expect((await save({ salary_min: '1' })).status).to.equal(303);
      const { salary_min, updated_at, ...after } = await stored();
      expect(salary_min).to.equal('1.00');
      expect({ ...before, ...after }).to.deep.equal(before);
      expect((await lastAudit(acme.id)).details).to.have.deep.property('fields', ['salary_min']);
      const activity = await main.get('/activity', { 'Accept-Language': 'pt' });
      expect(textOf(activity, 'tbody')).to.include('campos: salário mínimo');
      expect(has(form, '[name=version][type=hidden]')).to.equal(true);
    } finally {
      await db().category.update({ where: { id: odd.category_id }, data: { active: true } });
    }
  });

  for (const letter of ['ж', '😀'])
    it(`the longest job of ${letter}, longer than one request of the API, survives the end of a session and is saved`, async () => {
      const { email, main, form, formPath, stored } = await opened('production');
      // The body has a limit in bytes, too.
      const lengths = { title: 255, body: 16_000, contact_instructions: 10_000, requirements: 10_000 };
      const texts = { ...lengths, salary_benefits: 5000, remote_policy: 5000 };
      const lists = ['education_details', 'professional_requirements', 'language_requirements'];
      const typed = Object.fromEntries([
        ...Object.entries(texts).map(([field, max]) => [`job.${field}`, letter.repeat(max)]),
        ...lists.map((field) => [`job.${field}`, Array(50).fill(letter.repeat(500)).join('\n')]),
      ]);
      main.cookies.set('vaga_session', 's%3Aended.x');
      const asked = await main.submit(form, formPath, typed);
      expect(asked.status).to.equal(403);
      const kept = await main.submit(asked, formPath, { email, password });
      for (const [field, text] of Object.entries(typed)) expect(valueIn(kept, `[id="${field}"]`)).to.equal(text);
      expect((await main.submit(kept, formPath)).status).to.equal(303);
      const { requirements, language_requirements } = await stored();
      expect([requirements, language_requirements.join('\n')]).to.deep.equal([
        ...[typed['job.requirements'], typed['job.language_requirements']],
      ]);
      expect((await main.submit(await main.get(formPath), formPath, { 'job.title': 'Outra' })).status).to.equal(303);
    });

  it('every field of a form survives the end of a session, however many there are', async () => {
    const { email, main, formPath } = await opened('production');
    const fields = new URLSearchParams(Array.from({ length: 1900 }, (_, n) => [`field-${n}`, '']));
    fields.append('job.title', 'A última de todas');
    main.cookies.set('vaga_session', 's%3Aended.x');
    const asked = await main.postRaw(formPath, String(fields));
    const kept = await main.submit(asked, formPath, { email, password });
    expect(valueIn(kept, '[id="job.title"]')).to.equal('A última de todas');
  });

  it('refuses what a PATCH refuses, beside the same fields, and keeps what was typed', async () => {
    const { acme, id, writer, save, stored, main, formPath } = await opened('production', fullJob());
    await setDistricts(actionContext(), { companyId: acme.id, districts: [13] });
    const before = await stored();
    const cases: (readonly [patch: object, typed: Record<string, string>])[] = [
      ...patchesAgainstRules.map(([patch]) => [patch, textsIn(patch)] as const),
      ...[{ title: '' }, { title: 'x'.repeat(256) }, { contact_phone: 'abc' }, { contact_email: 'ana' }].map(
        (patch) => [patch, textsIn(patch)] as const,
      ),
      [
        { salary_min: 'muito', experience_years: 51 },
        { salary_min: 'muito', experience_years: '51' },
      ],
      [{ language_requirements: Array(51).fill('x') }, { language_requirements: Array(51).fill('x').join('\r\n') }],
    ];
    for (const [patch, typed] of cases) {
      const refused = await writer.patch(id, patch);
      const page = await save(typed);
      expect([refused.status, page.status], JSON.stringify(typed)).to.deep.equal([422, 422]);
      expect(markedIn(page)).to.have.members(Object.keys(refused.body.error.details));
      for (const [field, text] of Object.entries(typed))
        expect(valueIn(page, `[id="job.${field}"]`)?.replaceAll('\r\n', '\n')).to.equal(text.replaceAll('\r\n', '\n'));
    }
    // The job's own region is offered, and no other in which the company may not publish. The sandbox has no such limit.
    await setDistricts(actionContext(), { companyId: acme.id, districts: [1, 11] });
    const regionsIn = async (path: string) => {
      const options = (await main.get(path)).document.querySelectorAll('[id="job.district_id"] option');
      return [...options].map((option) => option.getAttribute('value')).sort();
    };
    expect(await regionsIn(formPath)).to.deep.equal(['1', '11', '13']);
    const overview = textOf(await main.get('/'), '[aria-labelledby=production] .facts');
    expect(overview).to.match(/May publish in ?\p{L}+, \p{L}+$/u);
    const { body } = await (await acme.writer('sandbox')).create(minimalJob);
    expect(await regionsIn(`/jobs/sandbox/${body.data.id}/update`)).to.have.length.above(3);
    await setDistricts(actionContext(), { companyId: acme.id, districts: [13] });
    const elsewhere = await save({ district_id: '11' });
    expect(errorIn(elsewhere, 'district_id')).to.equal('Region must be a region in which your company may publish.');
    expect(await stored()).to.deep.equal(before);
  });

  it('says what is wrong in the words of the page and its language, never of the API', async () => {
    const { acme, main, form, formPath, save } = await opened('production', fullJob());
    await setDistricts(actionContext(), { companyId: acme.id, districts: [13] });
    /** The values of a round are refused at once. */
    const rounds: readonly (readonly (readonly [field: string, text: string, english: string])[])[] = [
      [
        ['title', '', 'Title must be given.'],
        ['body', '<img src=x>', 'Body must contain text that can be read.'],
        ['contact_email', 'ana', 'Contact email must be an email address.'],
        ['contact_phone', 'abc', 'Contact phone must contain a digit.'],
        ['requirements', 'null', 'Requirements must be left empty if there is none.'],
        ['external_application_url', 'ftp://x', 'Application page must begin with https://.'],
        ['valid_until', inDays(0), 'Last day must be after today.'],
        ['salary_min', 'muito', 'Minimum salary must be a number.'],
        ['experience_years', '51', 'Years of experience must be at most 50.'],
        ['education_details', Array(51).fill('x').join('\n'), 'Education must have at most 50 items, not 51.'],
        ['category_id', '3', 'Category must be one of the choices.'],
      ],
      [
        ['title', '\u200b', 'Title must contain a visible character.'],
        ['body', '&lt;p&gt;a&lt;/p&gt;&lt;p&gt;b&lt;/p&gt;', 'Body must be HTML that is not escaped twice.'],
        ['contact_email', '', 'Contact email must be given when Application method is E-mail address.'],
        ['external_application_url', 'https://a:b@x.pt', 'Application page must not contain a user name or password.'],
        ['valid_until', '2030-02-30', 'Last day must be a date that exists.'],
        ['salary_min', '1,2345', 'Minimum salary must have fewer decimal places.'],
        ['experience_years', '2,5', 'Years of experience must be a whole number.'],
        ['education_details', `a\n${'x'.repeat(501)}`, 'Education 2 must have at most 500 characters, not 501.'],
      ],
      [
        ['title', 'x'.repeat(256), 'Title must have at most 255 characters, not 256.'],
        ['body', 'x'.repeat(30_001), 'Body must have at most 30,000 characters, not 30,001.'],
        ['external_application_url', 'https://', 'Application page must have a host after https://.'],
      ],
      [
        [
          'body',
          '&'.repeat(29_000),
          'Body must have less HTML or text: it has 145,000 characters, and at most 30,000 are possible. Body must be at most 65,535 bytes in UTF-8, not 145,000.',
        ],
        ['title', `<${secret}>`, `Title ${secretMessage}.`],
        [
          'external_application_url',
          'https://x.pt:99999',
          'Application page must have a host that is a valid name or address.',
        ],
      ],
      [
        ['body', `a${'<b>x</b>'.repeat(2501)}`, 'Body must have at most 2,500 tags or lines, not 2,501.'],
        ['external_application_url', 'https://0x7f.1', 'Application page must have 127.0.0.1 as its host.'],
        ['salary_min', '-1', 'Minimum salary must be at least 0.'],
      ],
      [
        ['body', `<a href="https://x.pt/?t=${secret.replace('vaga', '&#118;aga')}">x</a>`, `Body ${secretMessage}.`],
        [
          'external_application_url',
          'https://x.pt/ç',
          'Application page must have %C3%A7 in place of "ç" after its host.',
        ],
        ['salary_min', '1600', 'Minimum salary must be at most Maximum salary, which is 1,500.'],
      ],
      [
        [
          'external_application_url',
          'https://x.pt/%zz',
          'Application page must have two hexadecimal digits after each %.',
        ],
        ['salary_max', '1', 'Maximum salary must be at least Minimum salary, which is 1,200.5.'],
      ],
      [['external_application_url', ' https://x.pt', 'Application page must have no white space before or after it.']],
      [['district_id', '11', 'Region must be a region in which your company may publish.']],
      [
        ['salary_min', '12.000', 'Write 12000 or 12.00: it can be read as both.'],
        ['salary_max', 'x', 'Maximum salary must be a number.'],
        ['title', '', 'Title must be given.'],
      ],
      [['salary_min', '12,000', 'Write 12000 or 12.00: it can be read as both.']],
      [['salary_min', '12,345', 'Write 12345, or a number with fewer decimal places.']],
    ];
    const saveAll = (round: (typeof rounds)[0]) =>
      save(Object.fromEntries(round.map(([field, text]) => [field, text])));
    for (const round of rounds) {
      const page = await saveAll(round);
      for (const [field, , english] of round) expect(errorIn(page, field)).to.equal(english);
    }
    await main.submit(form, formPath, { language: 'pt' });
    const unclear = await saveAll([['salary_min', '1.500', '']]);
    expect(errorIn(unclear, 'salary_min')).to.match(/^Escreva 1500 ou 1,50:/);
    for (const round of rounds) {
      const page = await saveAll(round);
      for (const [field, , english] of round) {
        const said = errorIn(page, field);
        expect(said, english).to.not.equal('');
        expect(said, english).to.not.match(/\b(must|is|not|job[.]|null)\b/);
      }
    }
  });

  it("somebody else's change in between is said beside the form, what was typed stays, and sent again it replaces that", async () => {
    const { id, writer, save, stored, acme, form, main, path } = await opened('production', { title: 'Pintor' });
    await writer.patch(id, { title: 'Pintora', requirements: 'Carta' });
    const refused = await save({ title: 'Pintor de interiores' }, form);
    expect(refused.status).to.equal(422);
    const said = 'This was changed since you opened the form. See the fields marked below, and send it again.';
    expect(textOf(refused, '[role=alert]')).to.contain(said).and.not.match(/read/);
    expect(valueIn(refused, '[id="job.title"]')).to.equal('Pintor de interiores');
    expect(errorIn(refused, 'title')).to.equal('Is now: Pintora.');
    expect(errorIn(refused, 'requirements')).to.equal('Is now: Carta.');
    expect(valueIn(refused, '[id="job.requirements"]'), 'untouched').to.equal('Carta');
    expect((await stored()).title).to.equal('Pintora');
    // Clicked again, it gets the same answer.
    const answers = [];
    for (let clicks = 0; clicks < 3; clicks++) {
      const answer = await save({}, refused);
      answers.push([answer.status, answer.headers.location, textOf(await main.follow(answer), '.notice')]);
    }
    expect(answers).to.deep.equal(
      Array(3).fill([303, `/dashboard${path}`, 'The job is changed and waits for review.']),
    );
    expect(await stored()).to.include({ title: 'Pintor de interiores', requirements: 'Carta' });
    expect(await db().auditEntry.count({ where: { companyId: acme.id, action: 'job.updated' } })).to.equal(1);
    const reopened = await main.get(`${path}/update`);
    await approveJob(actionContext(), { companyId: acme.id, environment: 'production', jobId: BigInt(id) });
    const other = textOf(await save({ title: 'Estucador' }, reopened), '[role=alert]');
    expect(other).to.contain('but none of the fields below. Read this page, and send it again.');
  });

  it('a field that the person has not touched shows what somebody else has stored, and is not sent back', async () => {
    const { save, stored, form, main, formPath, id, writer } = await opened('production', fullJob());
    const theirs = { title: 'Outro', category_id: '304', salary_negotiable: false, language_requirements: ['Inglês'] };
    expect((await save(textsIn(theirs))).status).to.equal(303);
    const typed = { requirements: 'Carta', salary_min: '1300' };
    const preview = await main.submit(form, formPath, {
      ...Object.fromEntries(Object.entries(typed).map(([field, text]) => [`job.${field}`, text])),
      preview: 'true',
    });
    const refused = await save({}, preview);
    expect(refused.status).to.equal(422);
    expect(markedIn(refused)).to.have.members(Object.keys(theirs));
    expect(textOf(refused, '[role=alert]')).to.contain('changed since you opened the form');
    const category = textOf(refused, '[id="job.category_id"] option[selected]');
    expect(['title', 'category_id', 'salary_negotiable'].map((field) => errorIn(refused, field))).to.deep.equal([
      ...['Is now: Outro.', `Is now: ${category}.`, 'Is now: No.'],
    ]);
    for (const [field, text] of Object.entries({ ...textsIn(theirs), ...typed }))
      expect(valueIn(refused, `[id="job.${field}"]`), field).to.equal(text);
    await writer.patch(id, { title: 'Mais outro' });
    const again = await save({}, refused);
    expect([again.status, markedIn(again), valueIn(again, '[id="job.title"]')]).to.deep.equal([
      ...[422, ['title'], 'Mais outro'],
    ]);
    expect((await save({}, again)).status).to.equal(303);
    expect(await stored()).to.include({ title: 'Mais outro', requirements: 'Carta', salary_min: '1300.00' });
  });

  it('a form of a job that was deleted meanwhile says so and keeps what was typed, also in another language', async () => {
    const { main, form, formPath, ref } = await opened();
    await removeJob(actionContext(), { ...ref, reason: 'Anúncio falso.' });
    const typed = { 'job.title': 'Eletricista de obras', 'job.body': 'Uma linha.\r\nOutra.' };
    const gone = await main.submit(form, formPath, typed);
    expect([gone.status, textOf(gone, 'h1'), ...textsOf(gone, 'article :is(h2, pre)')]).to.deep.equal([
      ...[404, 'This does not exist any more', 'Title', 'Eletricista de obras', 'Body', 'Uma linha. Outra.'],
    ]);
    expect(textOf(gone, '[role=alert]')).to.match(
      /^Nothing was changed. Job permanently removed by Administrator, .+ Reason: Anúncio falso\.$/,
    );
    const again = await main.submit(form, formPath, { ...typed, language: 'pt' });
    expect([again.status, textOf(again, 'h1')]).to.deep.equal([404, 'Isto já não existe']);
    const category = textOf(form, '[id="job.category_id"] option[value="304"]');
    const chosen = { 'job.category_id': '304', 'job.contract_type': 'part_time', 'job.salary_negotiable': 'true' };
    const words = async (language: 'en' | 'pt') =>
      textsOf(await main.submit(form, formPath, { ...chosen, language }), 'pre');
    expect(await words('pt')).to.have.members([category, 'Tempo parcial', 'Sim']);
    expect(await words('en')).to.have.members([category, 'Part time', 'Yes']);
    await db().$executeRawUnsafe('ALTER TABLE audit_entries RENAME TO audit_away');
    try {
      const unsaid = await main.submit(form, formPath, typed);
      expect([unsaid.status, textOf(unsaid, '[role=alert]')]).to.deep.equal([404, 'Nothing was changed.']);
    } finally {
      await db().$executeRawUnsafe('ALTER TABLE audit_away RENAME TO audit_entries');
    }
    expect((await main.submit(form, formPath)).status).to.equal(404);
  });

  it('names the category that somebody else has stored, also if it accepts no new jobs any more', async () => {
    const { save, form, writer, id } = await opened();
    const name = `Telegrafista ${Date.now()}`;
    const { categoryId } = await addCategory(actionContext(), { name, parent: 3n });
    await writer.patch(id, { category_id: categoryId });
    await deactivateCategory(actionContext(), { categoryId: BigInt(categoryId) });
    const refused = await save({ title: 'Pintora' }, form);
    expect([refused.status, markedIn(refused)]).to.deep.equal([422, ['category_id']]);
    expect(errorIn(refused, 'category_id')).to.match(new RegExp(`^Is now: \\p{L}[^:]+: ${name}[.]$`, 'u'));
  });

  it('says what becomes of a job in each status, and so it is', async () => {
    const acme = await newCompany();
    const email = await newUser(acme);
    const main = await PageClient.signedIn('company', email);
    for (const [status, environment, after, said] of [
      ['pending', 'sandbox', 'pending', 'stays pending'],
      ['pending', 'production', 'pending', 'stays pending'],
      ['denied', 'production', 'pending', 'sends the job to review'],
      ['active', 'production', 'pending', 'sends the job to review'],
      ['inactive', 'production', 'inactive', 'stays withdrawn'],
      ['inactive', 'sandbox', 'inactive', 'stays withdrawn'],
      ['published', 'production', 'active', 'publishes without review'],
      ['expired', 'production', 'expired', 'stays expired'],
    ] as const) {
      const writer = await acme.writer(environment);
      const { id } = (await writer.create({ ...minimalJob, valid_until: inDays(2) })).body.data;
      const ref = { companyId: acme.id, environment, jobId: BigInt(id) };
      if (status === 'denied') await deny(ref);
      if (status === 'inactive') await writer.withdraw(id);
      if (status === 'published') await db().company.update({ where: { id: acme.id }, data: { autoPublish: true } });
      if (['active', 'published', 'expired'].includes(status))
        await approveJob(actionContext(), ref).catch(() => undefined);
      await later(status === 'expired' ? 3 * 86_400_000 : 0, async () => {
        // A session has ended by then.
        if (status === 'expired') await main.signIn(email);
        const path = `/jobs/${environment}/${id}`;
        expect(linkIn(await main.get(path), 'a[href$="/update"]')).to.equal(`/dashboard${path}/update`);
        const form = await main.get(`${path}/update`);
        expect(textOf(form, 'article'), `${status} ${environment}`).to.include(said);
        const done = await main.follow(await main.submit(form, `${path}/update`, { 'job.title': 'Outro' }));
        const waits = environment === 'production' && after === 'pending' ? ' and waits for review' : '';
        expect(textOf(done, '.notice')).to.equal(`The job is changed${waits}.`);
        expect((await writer.get(`/jobs/${id}`)).body.data.status, `${status} ${environment}`).to.equal(after);
      });
    }
  });

  it('a save whose outcome is no longer what the form says is refused; the form says the new outcome, and does it when sent again', async () => {
    const { acme, ref, main, form: first, formPath, save, statusOf } = await opened();
    await approveJob(actionContext(), ref);
    const publishes = (autoPublish: boolean) => changeCompany(actionContext(), { companyId: acme.id, autoPublish });
    await publishes(true);
    const outcomes = { true: 'The job stays published', false: 'Saving sends the job to review' };
    let form = await main.get(formPath);
    for (const [autoPublish, status] of [
      [false, 'pending'],
      [true, 'active'],
    ] as const) {
      expect(textOf(form, 'article')).to.include(outcomes[`${!autoPublish}`]);
      await publishes(autoPublish);
      const title = `Pintor ${status}`;
      const refused = await save({ title }, form);
      expect([refused.status, await statusOf()]).to.deep.equal([422, 'active']);
      expect(textOf(refused, 'article')).to.include(outcomes[`${autoPublish}`]);
      expect(textOf(refused, '[role=alert]')).to.contain(
        'none of the fields below. Read this page, and send it again.',
      );
      expect(valueIn(refused, '[id="job.title"]')).to.equal(title);
      expect([(await save({}, refused)).status, await statusOf()]).to.deep.equal([303, status]);
      if (status === 'pending') await approveJob(actionContext(), ref);
      await publishes(false);
      form = await main.get(formPath);
    }
    expect((await save({ title: 'Estucador' }, first)).status).to.equal(422);
  });

  it('a body that was text is text again and keeps its lines; HTML is edited as it is and shown as candidates see it', async () => {
    const { main, formPath, form, save, stored } = await opened('production', {
      body: 'Um & dois\n\nTrês > 2, 1 < 2 e &lt;b&gt;\nquatro',
    });
    expect(valueIn(form, '[id="job.body"]')).to.equal('Um & dois\n\nTrês > 2, 1 < 2 e &lt;b>\nquatro');
    await save({ body: 'Um & dois\r\n\r\nTrês > 2, 1 < 2 e &lt;b>\r\ncinco' });
    expect((await stored()).body).to.equal('<p>Um &amp; dois</p><p>Três &gt; 2, 1 &lt; 2 e &lt;b&gt;<br>cinco</p>');
    const html = '<p onclick="x()">Bom <strong>salário</strong></p><ul><li>um</li></ul>';
    const preview = await main.submit(await main.get(formPath), formPath, { 'job.body': html, preview: 'true' });
    expect([preview.status, valueIn(preview, '[id="job.body"]')]).to.deep.equal([200, html]);
    expect(preview.document.querySelector('.job-body')?.innerHTML).to.equal(
      '<p>Bom <strong>salário</strong></p><ul><li>um</li></ul>',
    );
    expect((await stored()).body).to.include('cinco');
    expect([textOf(preview, 'details[open] > .notice'), has(form, '.notice')]).to.deep.equal([
      ...['Preview. Nothing was saved.', false],
    ]);
    await save({ body: html }, preview);
    expect(valueIn(await main.get(formPath), '[id="job.body"]')).to.equal(html.replace(' onclick="x()"', ''));
  });

  it('a preview of a body beyond the limits says so, and previews do not hold up another company’s create', async () => {
    const { main, form, formPath } = await opened();
    const preview = (html: string) => main.submit(form, formPath, { 'job.body': html, preview: 'true' });
    const long = await preview('<p '.repeat(60_000));
    expect([long.status, has(long, '.job-body')]).to.deep.equal([200, false]);
    expect(errorIn(long, 'body')).to.match(/^Body must have at most 30,000 characters, not 180,000[.]/);
    expect(valueIn(long, '[id="job.body"]')).to.have.length(180_000);
    const ended: string[] = [];
    const note = (what: string) => () => ended.push(what);
    const flood = times(5, () => preview('<hr>x'.repeat(300)).then(note('preview')));
    await Promise.race(flood);
    const other = await (await newCompany()).writer();
    await other.create({ ...minimalJob, body: '<p>Olá</p>' }).then(note('create'));
    await Promise.all(flood);
    expect(ended.indexOf('create'), String(ended)).to.be.below(ended.lastIndexOf('preview'));
  });

  it('takes a job as large as the API takes', async () => {
    const { save, stored } = await opened('production', largeJob);
    const answer = await save({ body: 'ç'.repeat(30_000), title: 'Grande' });
    expect(answer.status).to.equal(303);
    expect((await stored()).body).to.equal('ç'.repeat(30_000));
  });

  for (const [how, close, said] of [
    ['suspended', suspendCompany, /not possible while the company is suspended/],
    ['approval withdrawn', withdrawApproval, /administrator must approve the company/],
    ['plan ended', endSubscription, /requires a plan that includes it/],
    [
      'grant ended',
      async (ctx, { companyId }) => {
        await grantComplimentary(ctx, { companyId, limit: 5 });
        await endSubscription(ctx, { companyId });
        await endComplimentary(ctx, { companyId });
      },
      /requires a plan that includes it/,
    ],
    ['not verified', (ctx, of) => changeCompany(ctx, { ...of, verified: false }), /administrator must verify/],
  ] as const satisfies readonly (readonly [string, (ctx: Context, of: CompanyRef) => Promise<unknown>, RegExp])[])
    it(`says why it is refused while the environment is closed, and keeps what was typed: ${how}`, async () => {
      const { acme, main, form, formPath, path, save, stored } = await opened(
        how === 'not verified' ? 'sandbox' : 'production',
      );
      await close(actionContext(), { companyId: acme.id });
      expect(has(await main.get(path), 'main a[href$="/update"]')).to.equal(false);
      const answer = await save({ title: 'Outro', body: '<p>Escrito à mão</p>' }, form);
      expect(answer.status).to.equal(422);
      expect(textOf(answer, '[role=alert]')).to.match(said);
      expect(textOf(answer, '[role=alert]')).to.match(/^This environment is closed to the company now[.] /);
      expect(valueIn(answer, '[id="job.title"]')).to.equal('Outro');
      expect(valueIn(answer, '[id="job.body"]')).to.equal('<p>Escrito à mão</p>');
      const pt = await main.submit(form, formPath, { 'job.title': 'Outro', language: 'pt' });
      expect(valueIn(pt, '[id="job.title"]')).to.equal('Outro');
      expect(textOf(await main.submit(pt, formPath), '[role=alert]')).to.match(/^Este ambiente está .*empresa.*/);
      // Not offered, and opened by its address, it says why.
      main.cookies.delete('vaga_language');
      const opening = await main.get(formPath);
      expect([opening.status, has(opening, '[id="job.title"]')]).to.deep.equal([200, false]);
      expect(textOf(opening, 'main')).to.match(said);
      if (how === 'suspended' || how === 'not verified') return;
      await approveAgain(acme.id);
      expect((await stored()).title).to.equal('Eletricista');
    });
});

/** Opens production again. */
async function approveAgain(companyId: bigint): Promise<void> {
  await approveCompany(actionContext(), { companyId });
  await setSubscription(actionContext(), { companyId, plan: 'Especial' });
}

/** Values as they are typed. */
const textsIn = (patch: object): Record<string, string> =>
  Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, String(value ?? '')]));
