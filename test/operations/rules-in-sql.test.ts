import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Prisma } from '../../generated/prisma/client.ts';
import { addDays, dayToDate } from '../../src/domain/dates.ts';
import { accessBlockersOf, accessFactsOf, isValidCredential } from '../../src/domain/eligibility.ts';
import { foldedText } from '../../src/domain/folded-text.ts';
import {
  type CompanyFilter,
  countWaitingCompanies,
  searchCompanies,
} from '../../src/operations/companies/company-search-sql.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { countValidCredentials, listCredentials } from '../../src/operations/credentials/credentials-sql.ts';
import { credentialState, hasEnded } from '../../src/operations/credentials/people/list-credentials.ts';
import { jsonArrayOf, valuesOf } from '../../src/operations/jobs/job-columns-sql.ts';
import { addCategory } from '../../src/operations/reference/people/change-category.ts';
import { categoriesNow } from '../helper/categories.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const time = { now, today: '2026-03-01', timeZone: 'Europe/Lisbon' };
const booleans = [false, true];
/** The instant before, that one, and the one after. */
const instants = [-1, 0, 1].map((ms) => new Date(now.getTime() + ms));
const days = [-1, 0, 1].map((ahead) => addDays(time.today, ahead));

describe('rules in SQL and in TypeScript are the same', () => {
  it('a JSON array of any length, also of more values than PostgreSQL passes a function', async () => {
    for (const length of [1, 100, 101, 250]) {
      const places = Array.from({ length }, (_, place) => place);
      const found = Prisma.raw(jsonArrayOf(places.map((place) => `'["${place}"]'::json`)));
      const [row] = await db().$queryRaw<{ found: unknown[] }[]>`SELECT ${found} AS found`;
      expect(valuesOf(row?.found ?? [], length)).to.deep.equal(places.map((place) => [`${place}`]));
    }
  });

  it('a text without case, accents and typographic marks: every European character, alone and inside and at the end of words', async () => {
    const ranges = [
      [0x20, 0x590],
      [0x1e00, 0x2060],
      [0x3000, 0x3100],
      [0xac00, 0xac40],
    ] as const;
    const codes = ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at));
    const characters = [...codes, 0x2212, 0xfeff, 0xff02, 0xff07].map((code) => String.fromCodePoint(code));
    const texts = characters
      .filter((one) => !/\p{Cn}/u.test(one))
      .flatMap((one) => [one, `Α${one}Α`, `Α${one}`, `Α${one} Α`]);
    const rows = await db().$queryRaw<{ one: string; folded: string }[]>`
      SELECT one, folded_text(one, 255) AS folded FROM unnest(${texts}::text[]) AS given (one)`;
    expect(rows).to.have.length(texts.length);
    for (const row of rows) expect(row.folded, row.one).to.equal(foldedText(row.one));
  });

  it('what is in force and what blocks production, for every company, plan and grant, at their last instant and day', async () => {
    const { eligible, other } = { eligible: { apiEligible: true }, other: { apiEligible: false } };
    const plans = [
      null,
      ...(await Promise.all([eligible, other].map((where) => db().plan.findFirstOrThrow({ where })))).flatMap((plan) =>
        [null, ...instants].map((endsAt) => ({ ...plan, endsAt, startedOn: '2020-01-01' })),
      ),
    ];
    const grants = [
      null,
      ...[null, ...days].map((expiresOn) => ({ monthlyLimit: 5, startedOn: '2020-01-01', expiresOn })),
    ];
    const marks = booleans.map((isMarked) => (isMarked ? now : null));
    const cases = booleans.flatMap((verified) =>
      marks.flatMap((suspendedAt) =>
        marks.flatMap((approvedAt) =>
          plans.flatMap((plan) =>
            grants.flatMap((grant) =>
              marks.map((requestedAt) => ({
                company: { verified, suspendedAt, approvedAt, requestedAt },
                plan,
                grant,
              })),
            ),
          ),
        ),
      ),
    );
    const text = randomUUID();
    const { total: waitingBefore } = await countWaitingCompanies(db());
    const made = await db().company.createManyAndReturn({
      data: cases.map(({ company: { approvedAt, requestedAt, ...company } }, at) => ({
        ...{ ...company, productionApprovedAt: approvedAt, productionRequestedAt: requestedAt },
        name: `${text} ${at}`,
      })),
      select: { id: true, name: true },
    });
    const idOf = new Map(made.map(({ id, name }) => [name, id]));
    const companies = cases.map((one, at) => ({
      ...one,
      companyId: idOf.get(`${text} ${at}`) ?? 0n,
      facts: accessFactsOf(one, time),
    }));
    const startedOn = dayToDate('2020-01-01');
    await db().subscription.createMany({
      data: companies.flatMap(({ companyId, plan }) =>
        plan ? [{ companyId, planId: plan.id, startedOn, endsAt: plan.endsAt }] : [],
      ),
    });
    await db().complimentaryGrant.createMany({
      data: companies.flatMap(({ companyId, grant }) =>
        grant
          ? [{ companyId, monthlyLimit: 5, startedOn, expiresOn: grant.expiresOn && dayToDate(grant.expiresOn) }]
          : [],
      ),
    });
    type Known = (typeof companies)[number];
    const isWaiting = ({ company: { requestedAt }, facts }: Known) =>
      requestedAt !== null && !facts.suspended && accessBlockersOf('production', facts).includes('approval');
    const search = (filter: CompanyFilter) =>
      searchCompanies(db(), { text, ...filter }, { sort: 'oldest', page: 1, perPage: cases.length + 1 }, time);

    const found = new Map((await search({})).map((row) => [row.id, row]));
    expect(found.size).to.equal(cases.length);
    for (const company of companies) {
      const { companyId, facts, plan, grant } = company;
      const { verified, suspended, approved } = facts;
      const shown = {
        plan: facts.plan?.name ?? null,
        complimentary: facts.grant !== null,
        waiting: isWaiting(company),
        requestedAt: company.company.requestedAt,
      };
      const name = JSON.stringify({ verified, suspended, approved, plan, grant });
      expect(found.get(companyId), name).to.deep.include({ verified, suspended, approved, ...shown });
    }
    const filters: readonly (readonly [CompanyFilter, (company: Known) => boolean])[] = [
      [{ state: 'waiting' }, isWaiting],
      [{ state: 'closed' }, (one) => !isWaiting(one) && !one.facts.suspended && !one.facts.approved],
      [{ state: 'approved' }, ({ facts }) => facts.approved && !facts.suspended],
      [{ state: 'suspended' }, ({ facts }) => facts.suspended],
      [{ state: 'unverified' }, ({ facts }) => accessBlockersOf('sandbox', facts).includes('unverified')],
      [{ plan: 'none' }, ({ facts }) => facts.plan === null],
      [{ plan: 'complimentary' }, ({ facts }) => facts.grant !== null],
    ];
    for (const [filter, isFound] of filters) {
      const ids = (await search(filter)).map(({ id }) => id);
      expect(ids, JSON.stringify(filter)).to.have.members(companies.filter(isFound).map(({ companyId }) => companyId));
    }
    expect((await countWaitingCompanies(db())).total - waitingBefore).to.equal(companies.filter(isWaiting).length);
    await db().company.deleteMany({ where: { name: { startsWith: text } } });
  });

  it('which credentials are valid, at the instant of their end and revoked or not', async () => {
    const acme = await newCompany();
    const environment = 'sandbox';
    const ends = [null, ...instants].flatMap((revokedAt) => instants.map((expiresAt) => ({ revokedAt, expiresAt })));
    for (const end of ends) {
      const { credentialId } = await acme.issue(environment, 'read');
      await db().credential.updateMany({ where: { companyId: acme.id, id: credentialId }, data: end });
    }
    const { valid, ended } = await listCredentials(db(), acme.id, now);
    expect(valid.length + ended.length).to.equal(ends.length);
    for (const [rows, isValid] of [
      [valid, true],
      [ended, false],
    ] as const)
      for (const row of rows) {
        const found = [isValidCredential(row, now), !hasEnded(credentialState(row, now))];
        expect(found, `${row.revokedAt} ${row.expiresAt}`).to.deep.equal([isValid, isValid]);
      }
    expect(await countValidCredentials(db(), { companyId: acme.id, environment }, now)).to.equal(valid.length);
  });

  it('which categories are listed and take jobs, for every state of a category and its main area', async () => {
    const acme = await newCompany();
    const writer = await acme.writer();
    const made: number[] = [];
    try {
      for (const isAreaActive of booleans)
        for (const active of booleans) {
          const name = randomUUID();
          const { categoryId: parent } = await addCategory(actionContext(), { name });
          const { categoryId } = await addCategory(actionContext(), { name: `${name} abaixo`, parent: BigInt(parent) });
          made.unshift(categoryId, parent);
          await db().category.update({ where: { id: parent }, data: { active: isAreaActive } });
          await db().category.update({ where: { id: categoryId }, data: { active } });
          const listed = (await categoriesNow(writer)).body.data as { id: number }[];
          const isListed = listed.some(({ id }) => id === categoryId);
          const { status } = await writer.create({ ...minimalJob, category_id: categoryId });
          expect([isListed, status], `${isAreaActive} ${active}`).to.deep.equal(
            isAreaActive && active ? [true, 201] : [false, 422],
          );
        }
    } finally {
      await db().job.deleteMany({ where: { companyId: acme.id } });
      for (const id of made) await db().category.delete({ where: { id } });
      // The process would keep the list with them.
      await categoriesNow(writer);
    }
  });

  it('how many postings are left, for every limit and number of postings', async () => {
    for (const limit of [-1, 0, 1, 2]) {
      const acme = await newCompany({ plan: null });
      await grantComplimentary(actionContext(), { companyId: acme.id, limit });
      const writer = await acme.writer('production');
      for (let used = 0; used < 4; used++) {
        const { jobs } = (await writer.get('/account')).body.data;
        // -1 means unlimited.
        const isLeft = jobs.remaining !== 0;
        const { status } = await writer.create(minimalJob);
        expect([isLeft, status], `limit ${limit}, used ${jobs.used}`).to.deep.equal(
          limit < 0 || used < limit ? [true, 201] : [false, 403],
        );
      }
    }
  });
});
