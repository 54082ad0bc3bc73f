import { expect } from 'chai';
import { unseenMs } from '../../src/web/form.ts';
import { db, server } from '../helper/fixtures.ts';
import { has, PageClient } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { describeInBrowser, type Visitor } from './browser.ts';
import { type Clicked, decisionForms, queueDecisions, secretForms, type Work } from './clicked-forms.ts';
import { Clicker, type Hit, type TwoClicks } from './two-clicks.ts';

/** The page of a secret takes no click for this long. */
const secretMs = 1000;

const placesAfter = (gapMs: number) =>
  gapMs === 0 ? (['same place'] as const) : (['same place', 'what acts'] as const);
const ways: readonly TwoClicks[] = [0, 150, 350, 700, 1000].flatMap((gapMs) =>
  [0, 400, 800].flatMap((latencyMs) =>
    [true, false].flatMap((hasScripts) => placesAfter(gapMs).map((hits) => ({ gapMs, latencyMs, hasScripts, hits }))),
  ),
);

/** Everything is clicked in each of these ways. */
const corners: readonly TwoClicks[] = [
  { gapMs: 0, latencyMs: 800, hasScripts: false, hits: 'same place' },
  // The browser gives up the first answer for the second.
  { gapMs: 350, latencyMs: 800, hasScripts: false, hits: 'same place' },
  { gapMs: 1000, latencyMs: 0, hasScripts: false, hits: 'what acts' },
  { latencyMs: 800, hasScripts: false, hits: 'what acts' },
  { latencyMs: 0, hasScripts: true, hits: 'what acts' },
];

/** Notes what is there before the clicks; the result says whether what is there afterwards is right. */
type Expectation = (work: Work) => Promise<(clicker: Clicker, hit: Hit) => Promise<void>>;

interface Run {
  readonly clicked: Clicked;
  readonly way: TwoClicks;
  readonly nth: number;
}

/** Clicks everything in the corners' ways, and something in every way, in a few windows at once. Returns what went wrong. */
async function clickAll(visitor: Visitor, all: readonly Clicked[], expecting: Expectation): Promise<string[]> {
  const runs = all.flatMap((clicked, at) =>
    [...corners, ...ways.filter((_, way) => way % all.length === at)].map((way, nth) => ({
      clicked,
      way,
      nth: at + nth,
    })),
  );
  const problems: string[] = [];
  const inWindow = async (hasScripts: boolean): Promise<void> => {
    for (;;) {
      const at = runs.findIndex(({ way }) => way.hasScripts === hasScripts);
      const [run] = at === -1 ? [] : runs.splice(at, 1);
      if (!run) break;
      // What the clicks of one run still ask for must not reach the next one's session.
      const another = await visitor.another(hasScripts);
      try {
        const clicker = await Clicker.of(another);
        problems.push(...(await problemsOf(clicker, run, expecting)));
        clicker.close();
      } finally {
        await another.leave();
      }
    }
  };
  await Promise.all([true, false, true, false, true, false].map(inWindow));
  return problems;
}

async function problemsOf(clicker: Clicker, { clicked, way, nth }: Run, expecting: Expectation): Promise<string[]> {
  let hit: Hit | undefined;
  try {
    const work = await clicked.begin();
    const expectRight = await expecting(work);
    hit = await clicker.click(work, way, nth);
    await expectRight(clicker, hit);
    return [];
  } catch (error) {
    return [[clicked.title, JSON.stringify({ way, hit }), String(error)].join('\n')];
  }
}

const lastEntryOf = (actor: string) => db().auditEntry.findFirst({ where: { actor }, orderBy: { id: 'desc' } });

/** What the person has done since: the action and the company of each entry. */
async function recordsFrom({ actor }: Work) {
  const { id = 0n } = (await lastEntryOf(actor)) ?? {};
  return async (): Promise<string[]> => {
    const entries = await db().auditEntry.findMany({ where: { actor, id: { gt: id } }, orderBy: { id: 'asc' } });
    return entries.map(({ action, companyId }) => `${action} ${companyId}`);
  };
}

const oneDecision: Expectation = async (work) => {
  const records = await recordsFrom(work);
  return async (_, hit) => {
    const done = await records();
    // A click on what may have been seen is a decision of its own.
    expect(hit.shownMs < unseenMs ? done : done.slice(0, work.records.length)).to.deep.equal(work.records);
  };
};

const countOf = async ({ companyId = 0n, typed: { email = '' } }: Work): Promise<number> => {
  const where = { companyId };
  const accounts = [db().user.count({ where }), db().administrator.count({ where: { email } })];
  return (await Promise.all([db().credential.count({ where }), ...accounts])).reduce((sum, one) => sum + one, 0);
};

const oneSecret: Expectation = async (work) => {
  const records = await recordsFrom(work);
  const before = await countOf(work);
  return async ({ page }, hit) => {
    expect(await records()).to.deep.equal(work.records);
    expect((await countOf(work)) - before).to.be.at.most(1);
    // A click on what has been in sight for longer is no double click.
    if (hit.shownMs >= secretMs) return;
    const [secret] = await page.locator('#secret').allInnerTexts();
    expect(await isWorking(secret?.trim() ?? ''), `${secret} at ${page.url()}`).to.equal(true);
  };
};

/** Whether a credential's secret is accepted, or a link can set a password. */
async function isWorking(secret: string): Promise<boolean> {
  const [, mode] = /^vaga_(live|test)_/.exec(secret) ?? [];
  const client = new RestClient(server(), mode === 'live' ? 'production' : 'sandbox', secret);
  if (mode) return (await client.get('/account')).status === 200;
  if (!URL.canParse(secret)) return false;
  const { pathname, search } = new URL(secret);
  const visitor = new PageClient(pathname.startsWith('/admin') ? 'administrator' : 'company');
  return has(await visitor.get(pathname + search), '[name=newPassword]');
}

describeInBrowser('two clicks at any gap and latency, with and without scripts', (visitor) => {
  it('on a form whose answer is shown once make one secret, which is in sight afterwards and works', async () => {
    const forms = await secretForms();
    expect(forms.length).to.be.greaterThan(0);
    expect(await clickAll(visitor(), forms, oneSecret)).to.deep.equal([]);
  });

  it('on a decision decide once, and nothing on a page that nobody can have seen', async () => {
    const all = [...decisionForms(), ...queueDecisions];
    expect(all.length).to.be.greaterThan(queueDecisions.length);
    expect(await clickAll(visitor(), all, oneDecision)).to.deep.equal([]);
  });
});
