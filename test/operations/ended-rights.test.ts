import { expect } from 'chai';
import type { Context } from '../../src/context.ts';
import { ApiError } from '../../src/domain/errors.ts';
import {
  changeCompany,
  suspendCompany,
  withdrawApproval,
} from '../../src/operations/companies/people/change-company.ts';
import { endSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { denyJob, resubmitJob } from '../../src/operations/jobs/people/review-job.ts';
import { updateCompanyJob } from '../../src/operations/jobs/people/update-company-job.ts';
import { lockCompany } from '../../src/operations/kit/recorded-sql.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { newWork } from '../helper/declared-inputs.ts';
import { actionContext, administratorActor, db, memberActor, newCompany, newJob } from '../helper/fixtures.ts';
import { asPerson, has, leaveMaintenance } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const outcome = (made: Promise<unknown>) =>
  made.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    },
  );

/** What people of a suspended company may still do. */
const remaining = [
  ...['company export', 'credential revoke', 'job withdraw', 'user remove'],
  ...storedResources.map(({ remove }) => remove.command),
];

/** What people of a company do only with a plan and an approval, as programs do. */
const subscribed = ['job update', 'job resubmit'];

type Tx = Parameters<Parameters<ReturnType<typeof db>['$transaction']>[0]>[0];

/** The outcomes of a change that had begun before `end` was committed, and of the same afterwards. */
async function aroundTheEnd(change: () => Promise<string>, end: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  // Held open until the change has begun, whichever of its statements that lets it reach.
  const begun: Promise<string>[] = [];
  await db().$transaction(async (tx) => {
    await end(tx);
    begun.push(change());
  });
  return [await Promise.all(begun), await change()].flat();
}

describe('a person whose right ended after the form was read', () => {
  type Person = Awaited<ReturnType<typeof memberActor>>;
  const notSuspended = (command: string) => !remaining.includes(command);
  const always = () => true;
  const endings: readonly (readonly [
    string,
    (tx: Tx, person: Person) => Promise<unknown>,
    (command: string) => boolean,
  ])[] = [
    [
      'suspended',
      (tx, { companyId: id }) => tx.company.update({ where: { id }, data: { suspendedAt: new Date() } }),
      notSuspended,
    ],
    ['removed', (tx, { id }) => tx.user.delete({ where: { id } }), always],
    ['no longer the main account', (tx, { id }) => tx.user.update({ where: { id }, data: { role: 'sub' } }), always],
    [
      'approval withdrawn',
      (tx, { companyId: id }) => tx.company.update({ where: { id }, data: { productionApprovedAt: null } }),
      (command) => subscribed.includes(command),
    ],
    [
      'plan ended',
      async (tx, { companyId }) => {
        await lockCompany(tx, companyId);
        await tx.subscription.updateMany({ where: { companyId }, data: { endsAt: new Date() } });
      },
      (command) => subscribed.includes(command),
    ],
  ];

  it('an administrator who was removed decides nothing more', async () => {
    const { ref, statusOf } = await newJob();
    const gone = actionContext({ kind: 'administrator', id: 999_999_999n });
    expect(await outcome(denyJob(gone, { ...ref, reason: 'Não.' }))).to.equal('not_allowed');
    expect(await statusOf()).to.equal('pending');
  });

  // What would have ended it has done nothing.
  after(leaveMaintenance);

  for (const operation of declarations) {
    const { by, command, records } = operation;
    if (!records) continue;
    if (by.includes('main account'))
      for (const [how, end, isRefused] of endings)
        it(`${command}: a change that waited for the one that ended it writes nothing (${how})`, async () => {
          const { companyId, input } = await newWork(operation);
          const person = await memberActor(companyId);
          const given = { ...input, companyId, ...('label' in operation.input.shape && { label: 'Site' }) };
          const entries = () => db().auditEntry.count({ where: { companyId } });
          const before = await entries();
          const change = () => outcome(operation.answer(actionContext(person), given));
          const outcomes = await aroundTheEnd(change, (tx) => end(tx, person));
          if (!isRefused(command)) return expect(outcomes[0]).to.equal('done');
          for (const code of outcomes)
            expect(code).to.be.oneOf(['not_allowed', 'environment_closed', 'company_suspended']);
          expect(await entries()).to.equal(before);
        });
    if (by.includes('administrator'))
      it(`${command}: a change that waited for the one that removed the administrator writes nothing`, async () => {
        const administrator = await administratorActor();
        const { id } = administrator;
        // Who takes back a decision is who made it.
        const decider = command === 'job undo' ? () => actionContext(administrator) : actionContext;
        const { input } = await newWork(operation, decider);
        const entries = () => db().auditEntry.count({ where: { actor: `administrator:${id}` } });
        const before = await entries();
        const given = { ...input, ...('reason' in operation.input.shape && { reason: 'Motivo.' }) };
        const change = () => outcome(operation.answer(actionContext(administrator), given));
        const outcomes = await aroundTheEnd(change, (tx) => tx.administrator.delete({ where: { id } }));
        expect(outcomes).to.deep.equal(['not_allowed', 'not_allowed']);
        expect(await entries()).to.equal(before);
      });
  }

  it('sees on the pages of a suspended company only what it may still do', async () => {
    const acme = await newCompany();
    const { credentialId } = await acme.issue('sandbox', 'read');
    const main = await asPerson(acme, 'main');
    await suspendCompany(actionContext(), { companyId: acme.id });
    const page = await main.get('/credentials');
    const path = `/credentials/${credentialId}`;
    for (const [link, isThere] of [
      ['/credentials/issue', false],
      [`${path}/replace`, false],
      [`${path}/revoke`, true],
    ] as const)
      expect(has(page, `main a[href$="${link}"]`), link).to.equal(isThere);
    for (const [at, isThere] of [
      ['/credentials/issue', false],
      ['/people/invite', false],
      ['/sandbox', false],
      [`${path}/revoke`, true],
    ] as const)
      expect(has(await main.get(at), 'main form button.danger, main form button:not(.secondary)'), at).to.equal(
        isThere,
      );
  });
});

/** A context in which `change` is committed while the job's new body is sanitized. */
const whileSanitizing = (ctx: Context, change: () => Promise<unknown>): Context => ({
  ...ctx,
  sanitizer: Object.create(ctx.sanitizer, {
    sanitize: {
      value: async (...body: Parameters<Context['sanitizer']['sanitize']>) => {
        const clean = await ctx.sanitizer.sanitize(...body);
        await change();
        return clean;
      },
    },
  }),
});

describe('a change of a job whose company loses its access meanwhile', () => {
  const body = '<p>Outro</p><p>texto</p>';
  const verified = (companyId: bigint) => changeCompany(actionContext(), { companyId, verified: false });
  for (const [environment, how, end] of [
    ['production', 'suspended', (companyId) => suspendCompany(actionContext(), { companyId })],
    ['production', 'approval withdrawn', (companyId) => withdrawApproval(actionContext(), { companyId })],
    ['production', 'plan ended', (companyId) => endSubscription(actionContext(), { companyId })],
    ['sandbox', 'no longer verified', verified],
  ] as const satisfies readonly (readonly [string, string, (companyId: bigint) => Promise<unknown>])[])
    it(`writes nothing in ${environment}: ${how}`, async () => {
      const { acme, ref } = await newJob(environment);
      const ctx = whileSanitizing(actionContext(await memberActor(acme.id)), () => end(acme.id));
      const stored = () =>
        db().job.findFirstOrThrow({ where: { companyId: acme.id }, select: { body: true, status: true } });
      const before = await stored();
      const code = await outcome(updateCompanyJob(ctx, { ...ref, patch: { body } }));
      expect(code).to.be.oneOf(['environment_closed', 'company_suspended']);
      expect(await stored()).to.deep.equal(before);
      if (environment === 'sandbox') return;
      await db().job.updateMany({ where: { companyId: acme.id }, data: { status: 'denied' } });
      expect(await outcome(resubmitJob(actionContext(), ref))).to.equal('environment_closed');
      expect((await stored()).status).to.equal('denied');
    });

  it('goes to review if the company no longer publishes without one', async () => {
    const acme = await newCompany({ autoPublish: true });
    const { body: made } = await (await acme.writer('production')).create(minimalJob);
    const jobId = BigInt(made.data.id);
    const ctx = whileSanitizing(actionContext(), () =>
      changeCompany(actionContext(), { companyId: acme.id, autoPublish: false }),
    );
    const ref = { companyId: acme.id, environment: 'production', jobId } as const;
    expect(await updateCompanyJob(ctx, { ...ref, patch: { body } })).to.include({ status: 'pending' });
  });
});
