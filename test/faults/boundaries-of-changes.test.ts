import { expect } from 'chai';
import type { AuditAction } from '../../src/domain/audit-actions.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { declarations } from '../../src/operations/declarations.ts';
import type { Declaration } from '../../src/operations/declare.ts';
import { createJob } from '../../src/operations/jobs/change-job-sql.ts';
import { jobDefaults } from '../../src/operations/jobs/job.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { endMaintenance, startMaintenance } from '../../src/operations/maintenance/set-maintenance.ts';
import { addCategory, deactivateCategory } from '../../src/operations/reference/change-category.ts';
import { toRefusal } from '../../src/server/answer.ts';
import type { Fault } from '../helper/boundaries.ts';
import { inputOf } from '../helper/declared-inputs.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { takeRows } from '../helper/row-changes.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { BoundedService } from './bounded-app.ts';
import { everyFault } from './every-fault.ts';

let made = 0;
const email = (): string => `ana-${++made}@example.com`;
const reason = 'Porque sim.';

interface Given {
  readonly service: BoundedService;
  readonly companyId: bigint;
}

async function newCredential({ service, companyId }: Given) {
  const kind = { environment: 'sandbox', access: 'read', days: 30 } as const;
  return { credentialId: (await issueCredential(service.context(), { companyId, ...kind })).credentialId };
}

async function newJob({ service, companyId }: Given, environment: Environment = 'production') {
  const tenant = { companyId, environment };
  const allowance = environment === 'sandbox' ? 'sandbox' : 'subscription';
  const { job } = await createJob(service.database.db, tenant, {
    key: `key-${++made}`,
    hashes: {},
    entitlement: { allowance, accessType: 'subscription', limit: -1, period: null },
    checksDistricts: false,
    status: 'pending',
    actor: 'operator',
    now: service.now,
    fields: { ...jobDefaults, ...minimalJob },
  });
  return { ...tenant, jobId: BigInt(job?.id ?? 0) };
}

const account = ({ service }: Given) => ({ email: email(), passwordHash: 'none', createdAt: service.now });

async function newUser(given: Given) {
  const data = { ...account(given), companyId: given.companyId, role: 'sub' } as const;
  await given.service.database.db.user.create({ data });
  return { email: data.email };
}

async function newAdministrator(given: Given) {
  const data = account(given);
  await given.service.database.db.administrator.create({ data });
  return { email: data.email };
}

async function newCategory({ service }: Given) {
  const { categoryId } = await addCategory(service.context(), { name: `Categoria ${++made}` });
  return { categoryId: BigInt(categoryId) };
}

/** Makes what an operation needs to change something; the result is what its input has besides what every operation is given. */
const prepare: Readonly<Record<AuditAction, ((given: Given) => object | Promise<object>) | undefined>> = {
  'administrator.created': () => ({ email: email() }),
  'administrator.password_set': newAdministrator,
  'administrator.removed': newAdministrator,
  'administrator.unlocked': newAdministrator,
  'category.activated': async (given) => {
    const category = await newCategory(given);
    await deactivateCategory(given.service.context(), category);
    return category;
  },
  'category.created': () => ({ name: `Categoria ${++made}`, parent: 1n }),
  'category.deactivated': newCategory,
  'category.renamed': newCategory,
  'company.approved': undefined,
  'company.changed': () => ({ autoPublish: true }),
  'company.created': () => ({ plan: 'Pro', verified: true }),
  'company.districts_set': () => ({ districts: [11, 13] }),
  'company.erased': async (given) => {
    await newJob(given);
    await newUser(given);
    return { name: 'Oficina Exemplo' };
  },
  'company.reinstated': async ({ companyId, service }) =>
    service.database.db.company
      .update({ where: { id: companyId }, data: { suspendedAt: service.now } })
      .then(() => ({})),
  'company.suspended': undefined,
  'credential.issued': undefined,
  'credential.replaced': async (given) => ({ ...(await newCredential(given)), overlapHours: 1 }),
  'credential.revoked': newCredential,
  'grant.ended': ({ companyId, service }) =>
    grantComplimentary(service.context(), { companyId, limit: 3 }).then(() => ({})),
  'grant.given': undefined,
  'job.approved': newJob,
  'job.denied': newJob,
  'job.removed': newJob,
  'job.resubmitted': async (given) => {
    const job = await newJob(given);
    await denyJob(given.service.context(), { ...job, reason });
    return job;
  },
  'job.withdrawn': newJob,
  'maintenance.ended': ({ service }) => startMaintenance(service.context(), {}).then(() => ({})),
  'maintenance.started': ({ service }) => endMaintenance(service.context(), {}).then(() => ({})),
  'plan.set': () => ({ name: `Plano ${++made}`, limit: 3 }),
  'reference.seeded': ({ service }) => service.database.db.district.delete({ where: { id: 20 } }).then(() => ({})),
  'sandbox.reset': (given) => newJob(given, 'sandbox').then(() => ({})),
  'subscription.ended': undefined,
  'subscription.set': undefined,
  'user.created': () => ({ email: email() }),
  'user.password_set': newUser,
  'user.removed': newUser,
  'user.unlocked': newUser,
};

describe('any statement of a change may fail', function () {
  this.timeout(300_000);
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  /** Makes what the operation needs; the result runs it, answered as the service would. */
  const make = async (operation: Declaration) => {
    const { answer, records } = operation;
    if (!records) throw new Error('the operation changes nothing');
    const isApproved = records !== 'company.approved';
    const facts = { plan: 'Especial', verified: true, productionApproved: isApproved };
    const { companyId } = await createCompany(service.context(), { name: 'Oficina Exemplo', ...facts });
    const input = { ...inputOf(operation), companyId, ...(await prepare[records]?.({ service, companyId })) };
    await takeRows(service.database.db);
    return async (fault?: Fault) => {
      const { boundaries, watched, database } = service;
      const { log, lines } = recordedLog();
      boundaries.begin(fault);
      const asked = answer(service.context(watched), { ...input });
      const status = await boundaries.finish(
        asked.then(
          () => 200,
          (error: unknown) => toRefusal(error, log, 'none').status,
        ),
      );
      await boundaries.settle(() => service.busyConnections === 0);
      expect(service.busyConnections, 'connections').to.equal(0);
      expect(status, JSON.stringify(lines)).to.not.equal(500);
      return { status, changes: (await takeRows(database.db)).changes };
    };
  };

  for (const operation of declarations.filter(({ records }) => records && records !== 'company.erased'))
    it(`of ${operation.command}: all of it is done, with its audit entry, or nothing`, async () => {
      const changes = await everyFault(service, { make: () => make(operation), status: 200 });
      expect(changes.filter((change) => change.startsWith('written audit_entries'))).to.have.length(1);
    });

  it('of company erase: what it leaves is erased by the next one, with one audit entry', async () => {
    const operation = declarations.find(({ records }) => records === 'company.erased');
    if (!operation) throw new Error('there is no such operation');
    await (await make(operation))();
    await (await make(operation))();
    for (const call of [...service.boundaries.calls])
      for (const kind of ['fails', 'loses its answer'] as const) {
        const run = await make(operation);
        const [first, next] = [await run({ call, kind }), await run()];
        expect(next.status, `${call} ${kind}`).to.be.oneOf([200, 404]);
        const changes = [...first.changes, ...next.changes];
        for (const once of ['written audit_entries', 'deleted companies', 'deleted jobs', 'deleted users'])
          expect(
            changes.filter((change) => change.startsWith(once)),
            `${call} ${kind} ${once}`,
          ).to.have.length(1);
      }
  });

  it('that hangs when its transaction has taken too long ends as a refusal', async () => {
    const { boundaries } = service;
    const operation = declarations.find(({ records }) => records === 'company.districts_set');
    if (!operation) throw new Error('there is no such operation');
    await (await make(operation))();
    const inTransaction = boundaries.calls.slice(boundaries.calls.indexOf('database: BEGIN') + 1);
    const run = await make(operation);
    // Two statements take nearly as long as they may. The next one is under way when the transaction ends.
    boundaries.gate = async (call) => {
      if (inTransaction.slice(0, 2).includes(call)) boundaries.takeTime(4000);
    };
    const slow = await run({ call: inTransaction[2] ?? '', kind: 'hangs' });
    boundaries.gate = undefined;
    expect(slow).to.deep.equal({ status: 503, changes: [] });
    expect((await run()).status).to.equal(200);
  });
});
