import { expect } from 'chai';
import fc from 'fast-check';
import type { Schemas } from '../../src/contract/types.ts';
import { startOfDay } from '../../src/domain/dates.ts';
import { replaceCredential } from '../../src/operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { actionContext, clock, db, newCompany, server } from '../helper/fixtures.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

type Job = Schemas['Job'];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'patch', 'withdraw', 'page', 'page', 'page'),
  pick: fc.nat(),
  /** Since the step before. */
  minutes: fc.oneof(fc.constant(0), fc.nat({ max: 5 }), fc.nat({ max: 90 }), fc.constant(1440)),
  /** Of the clock of the process that takes this step. */
  wrongMinutes: fc.oneof(fc.constantFrom(-60, 0, 60), fc.integer({ min: -60, max: 60 })),
  perPage: fc.integer({ min: 1, max: 3 }),
  expires: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A company's program that keeps a copy of its jobs. */
class Program {
  readonly #client: RestClient;
  readonly #ids: number[] = [];
  readonly #copy = new Map<number, Job>();
  #since = '1970-01-01T00:00:00Z';
  #cursor: string | null = null;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async take({ kind, pick, perPage, expires }: Step): Promise<void> {
    const id = this.#ids[pick % this.#ids.length];
    if (kind === 'page') return this.#readPage(perPage);
    if (kind === 'create' || id === undefined) {
      const { status, body } = await this.#client.create({ ...minimalJob, valid_until: expires ? inDays(1) : null });
      expect(status).to.equal(201);
      this.#ids.push(body.data.id);
    } else if (kind === 'patch') expect((await this.#client.patch(id, { title: `T${pick}` })).status).to.equal(200);
    else expect((await this.#client.withdraw(id)).status).to.equal(204);
  }

  async #readPage(perPage: number): Promise<void> {
    const query = new URLSearchParams({ updated_since: this.#since, per_page: String(perPage) });
    if (this.#cursor) query.set('cursor', this.#cursor);
    const { data, meta } = (await this.#client.get(`/jobs?${query}`)).body;
    for (const job of data as Job[]) this.#copy.set(job.id, job);
    this.#cursor = meta.next_cursor;
    if (!this.#cursor) this.#since = meta.synced_until;
  }

  /** Ends the synchronisation that is under way and runs one more, after which the copy is complete. */
  async finish(): Promise<void> {
    while (this.#cursor) await this.#readPage(100);
    do await this.#readPage(100);
    while (this.#cursor);
    const { data } = (await this.#client.get('/jobs?per_page=100')).body;
    expect([...this.#copy.values()].sort((a, b) => b.id - a.id)).to.deep.equal(data);
    expect(data).to.have.length(this.#ids.length);
  }
}

describe('clocks that are an hour ahead or behind, or step', () => {
  afterEach(() => {
    clock.aheadMs = 0;
  });

  const newProgram = async () => new Program(await (await newCompany({ autoPublish: true })).writer('production'));

  it('a change after the clock has stepped back is listed by the next synchronisation', async () => {
    const program = await newProgram();
    const read = { kind: 'page', pick: 0, minutes: 0, wrongMinutes: 0, perPage: 100, expires: false } as const;
    await program.take({ ...read, kind: 'create' });
    clock.aheadMs = 30 * minuteMs;
    await program.take(read);
    clock.aheadMs -= hourMs;
    await program.take({ ...read, kind: 'patch' });
    await program.finish();
  });

  it('a copy kept by updated_since is complete, whatever is written and read by which clock', async () => {
    // The evening of a day, so that jobs expire in between.
    const evening = startOfDay('Europe/Lisbon', inDays(1)).getTime() - 90 * minuteMs - clock.now().getTime();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        clock.aheadMs = evening;
        const program = await newProgram();
        let passedMs = evening;
        for (const next of steps) {
          passedMs += next.minutes * minuteMs;
          clock.aheadMs = passedMs + next.wrongMinutes * minuteMs;
          await program.take(next);
        }
        // Until no clock sees a job as active that another has seen expire.
        clock.aheadMs = passedMs + 49 * hourMs;
        await program.finish();
      }),
      { numRuns: 60 },
    );
  }).timeout(120_000);

  const statusOf = async (secret: string): Promise<number> =>
    (await new RestClient(server(), 'sandbox', secret).get('/account')).status;

  it('a credential ends by the earlier of the clocks of process and database', async () => {
    const acme = await newCompany();
    clock.aheadMs = -27 * hourMs;
    const [ended, valid] = [await acme.issue('sandbox', 'read', 1), await acme.issue('sandbox', 'read', 2)];
    expect([await statusOf(ended.secret), await statusOf(valid.secret)]).to.deep.equal([401, 200]);
    clock.aheadMs = 24 * hourMs;
    expect(await statusOf(valid.secret)).to.equal(401);
  });

  it('a credential that was revoked or replaced without an overlap stays so', async () => {
    const acme = await newCompany();
    clock.aheadMs = hourMs;
    const [revoked, replaced] = [await acme.issue('sandbox', 'read'), await acme.issue('sandbox', 'read')];
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId: revoked.credentialId });
    const { credentialId } = replaced;
    await replaceCredential(actionContext(), { companyId: acme.id, credentialId, overlapHours: 0, days: 1 });
    for (const hours of [1, 0, -1]) {
      clock.aheadMs = hours * hourMs;
      expect([await statusOf(revoked.secret), await statusOf(replaced.secret)]).to.deep.equal([401, 401]);
    }
  });

  it('signing in works by any clock, and a session ends by the later one', async () => {
    const email = await newUser(await newCompany());
    const { id: personId } = await db().user.findUniqueOrThrow({ where: { email } });
    let client = new PageClient('company');
    const statusAt = async (minutes: number): Promise<number> => {
      clock.aheadMs = minutes * minuteMs;
      return (await client.get('/')).status;
    };
    for (const minutes of [-60, 0, 60]) {
      clock.aheadMs = minutes * minuteMs;
      client = await PageClient.signedIn('company', email);
      expect(await statusAt(minutes + 1), String(minutes)).to.equal(200);
    }
    // Half an hour by the database's clock, while the process's is an hour behind.
    await db().pageSession.updateMany({
      data: { expiresAt: new Date(Date.now() - 1000) },
      where: { portal: 'company', personId },
    });
    expect(await statusAt(-60)).to.equal(303);
  });

  it('the last use of a credential is recorded after a step back', async () => {
    const acme = await newCompany();
    const { credentialId, secret } = await acme.issue('sandbox', 'read');
    const lastUse = async (): Promise<Date | null> =>
      (await db().credential.findFirstOrThrow({ where: { companyId: acme.id, id: credentialId } })).lastUsedAt;
    expect(await statusOf(secret)).to.equal(200);
    let first = await lastUse();
    while (!first) first = await lastUse();
    clock.aheadMs = -hourMs;
    expect(await statusOf(secret)).to.equal(200);
    while ((await lastUse())?.getTime() === first.getTime());
    expect(first.getTime() - ((await lastUse())?.getTime() ?? 0)).to.be.within(hourMs - 10_000, hourMs);
  });
});
