import { expect } from 'chai';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { fieldHashes } from '../../src/operations/kit/api/fingerprint.ts';
import { actionContext, db, newCompany, server } from '../helper/fixtures.ts';
import { callers, createJob, type ProtocolCaller, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { describeOutcomes, type Fixture, type Outcome } from './same-outcome.ts';
import { outcome, production, remove } from './situations.ts';

type Given = (fixture: Fixture, id: number) => Promise<unknown>;

/** The same key was sent over another protocol, successfully or not, and then something else happened. */
const sent =
  (
    job: unknown,
    then: Given = async () => {},
    by: (fixture: Fixture) => Promise<ProtocolCaller> = (it) => it.openNext(),
  ) =>
  async (fixture: Fixture) => {
    const { body } = await (await by(fixture)).run(createJob(job, 'k'));
    await then(fixture, (body as { data?: { id: number } }).data?.id ?? 0);
    return {};
  };
const change: Given = async ({ openNext }, id) => {
  const other = await openNext();
  await other.run(updateJob(id, { title: 'Pintor' }));
  await other.run(withdrawJob(id));
};
const useUp: Given = ({ acme }) => db().postingUsage.updateMany({ where: { companyId: acme.id }, data: { used: 100 } });
const reset: Given = ({ acme }) => resetSandbox(actionContext(), { companyId: acme.id });
/** JSON that was allowed when it was sent. */
const refusedToday = { ...fullJob(), title: 'a'.repeat(256), colour: 'red', valid_until: inDays(-1) };
const itsDayHasPassed = { ...fullJob(), valid_until: inDays(-1) };
const sentBefore =
  (job: object): Given =>
  ({ acme, environment }) =>
    db().idempotencyKey.updateMany({
      where: { companyId: acme.id, environment },
      data: { fieldHashes: fieldHashes(job) },
    });

const sentAndRemoved: Given = (fixture, id) => sentBefore(refusedToday)(fixture, id).then(() => remove(fixture, id));
const asChanged = { title: 'Pintor', status: 'inactive' };

const markup = { ...fullJob(), body: '<p onclick="x()">Olá<script>x</script></p>', salary_min: 0.1 + 0.2 };
const names = Object.keys(fullJob()).sort();
const many = Object.fromEntries(times(9000, (n) => [`${n}`.padStart(4, '0'), 1]));
const long = 'x'.repeat(100_000);

/** Different JSON, most of it refused by the contract, and the fields that the answer names. */
const differing: readonly (readonly [job: unknown, fields?: readonly string[]])[] = [
  [{ ...fullJob(), title: 'Outro', requirements: null }, ['requirements', 'title']],
  [{ ...fullJob(), salary_min: 1200.500_000_01 }, ['salary_min']],
  [{ ...fullJob(), colour: 'red', title: 'a'.repeat(256) }, ['colour', 'title']],
  [{ ...fullJob(), title: null, idempotency_key: 'k' }, ['idempotency_key', 'title']],
  [{ ...fullJob(), title: undefined }, ['title']],
  [{ ...fullJob(), [long]: 1 }, [`${'x'.repeat(100)}…`]],
  [{ ...fullJob(), ...many }, Object.keys(many).sort().slice(0, 50)],
  [JSON.parse('{"__proto__":{"title":"x"},"constructor":1,"toString":null}')],
  ...[{}, [fullJob()], null, 7, 'x'].map((job): [unknown, string[]] => [job, names]),
];

type Row = readonly [sent: string, given: Outcome['given'], job: unknown, status: number, more?: Partial<Outcome>];
const full = fullJob();
const replay = { changesNothing: true };
const conflict = { because: 'idempotency_key' };
const gone = { because: 'job_removed' };
const rows: readonly Row[] = [
  ...[{}, production].flatMap((more): Row[] => [
    ['the same', sent(full), full, 200, { ...replay, ...more }],
    ['the same, then changed', sent(full, change), full, 200, { ...replay, ...more, shows: asChanged }],
    ['different JSON', sent(minimalJob), full, 409, { ...conflict, ...more }],
    ['the same, then removed', sent(full, remove), full, 410, { ...gone, ...more }],
    ['nothing that was allowed', sent({ ...full, category_id: 1 }), full, 201, more],
    [
      'by another company',
      sent(full, undefined, async ({ openNext, stranger }) => openNext(await stranger())),
      full,
      201,
      more,
    ],
  ]),
  ...differing.map(([job, fields]): Row => {
    const shows = fields && { shows: { differing_fields: fields } };
    return [`other than ${JSON.stringify(job).slice(0, 60)}`, sent(full), job, 409, { ...conflict, ...shows }];
  }),
  ['other than JSON with a field, then removed', sent(full, remove), { ...full, colour: 'red' }, 409, conflict],
  ['the same, then the quota used up', sent(full, useUp), full, 200, replay],
  ['in another order', sent(markup), Object.fromEntries(Object.entries(markup).reverse()), 200, replay],
  ['a salary of the same cent', sent(markup), { ...markup, salary_min: 0.3 }, 409, conflict],
  ['what is refused today', sent(full, sentBefore(refusedToday)), refusedToday, 200, replay],
  ['a job whose last day has passed since', sent(full, sentBefore(itsDayHasPassed)), itsDayHasPassed, 200, replay],
  ['what is refused today, then removed', sent(full, sentAndRemoved), refusedToday, 410, gone],
  ['and then no job', sent(full), undefined, 422, { because: ['request_body'] }],
  ['in the other environment', sent(full, undefined, ({ openNext, acme }) => openNext(acme, 'production')), full, 201],
  ['before a reset of the sandbox', sent(full, reset), full, 201],
  ['before a reset of the sandbox', sent(full, reset), full, 200, { ...replay, ...production }],
];

describeOutcomes(
  'a create with a key that was sent over another protocol',
  rows.map(([title, given, job, status, more]) => {
    const where = more?.environment ?? 'sandbox';
    return outcome(`${title}, ${where}: ${status}`, createJob(job, 'k'), status, more, given && { given });
  }),
);

it('a key that contains one of our credentials, mistyped or not, gets 422 and is stored nowhere', async () => {
  const acme = await newCompany();
  const secret = await acme.secret('sandbox', 'write');
  for (const open of callers)
    for (const key of [secret, `k-${secret}`, secret.slice(0, -1), secret.replace('test', 'live').toUpperCase()]) {
      const { status, body } = await open(server(), 'sandbox', secret).run(createJob(minimalJob, key));
      expect(status, key).to.equal(422);
      const text = JSON.stringify(body);
      expect(text)
        .to.match(/"(Idempotency-Key|idempotency_key)":\["must not contain a credential/)
        .and.not.include(key);
    }
  expect(await db().job.count({ where: { companyId: acme.id } })).to.equal(0);
  expect(await db().idempotencyKey.count({ where: { companyId: acme.id } })).to.equal(0);
});

it('one of several simultaneous creates with the same key over all protocols makes a job; the others replay it or conflict', async () => {
  const acme = await newCompany();
  const secret = await acme.secret('production', 'write');
  const opened = callers.map((open) => open(server(), 'production', secret));
  const jobs = [minimalJob, { ...minimalJob, title: 'Outro' }];
  const calls = times(24, (n) => opened[n % 3]?.run(createJob(jobs[Number(n % 4 > 1)], 'k')));
  const answers = (await Promise.all(calls)).map((answer) => answer?.status).sort();
  expect(answers).to.deep.equal([...Array(11).fill(200), 201, ...Array(12).fill(409)]);
  const where = { companyId: acme.id };
  expect(await db().job.count({ where })).to.equal(1);
  expect(await db().postingUsage.findFirst({ where })).to.include({ used: 1 });
});
