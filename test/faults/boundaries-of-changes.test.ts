import { expect } from 'chai';
import type { AuditAction } from '../../src/domain/audit-actions.ts';
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
import { recordedLog } from '../helper/recorded-log.ts';
import { takeRows } from '../helper/row-changes.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { BoundedService } from './bounded-app.ts';

let made = 0;
const email = (): string => `ana-${++made}@example.com`;
const password = 'uma frase que é longa';

/** Makes what an operation needs, and gives its input. */
class Given {
  readonly service: BoundedService;
  readonly companyId: bigint;

  constructor(service: BoundedService, companyId: bigint) {
    this.service = service;
    this.companyId = companyId;
  }

  async credential(): Promise<{ companyId: bigint; credentialId: bigint }> {
    const kind = { environment: 'sandbox', access: 'read', days: 30 } as const;
    const { credentialId } = await issueCredential(this.service.context(), { companyId: this.companyId, ...kind });
    return { companyId: this.companyId, credentialId };
  }

  async job(environment: 'sandbox' | 'production' = 'production') {
    const tenant = { companyId: this.companyId, environment };
    const { job } = await createJob(this.service.database.db, tenant, {
      key: `key-${++made}`,
      hashes: {},
      entitlement: {
        allowance: environment === 'sandbox' ? 'sandbox' : 'subscription',
        accessType: 'subscription',
        limit: -1,
        period: null,
      },
      checksDistricts: false,
      status: 'pending',
      actor: 'operator',
      now: this.service.now,
      fields: { ...jobDefaults, ...minimalJob },
    });
    return { ...tenant, jobId: BigInt(job?.id ?? 0) };
  }

  async user() {
    const data = { email: email(), passwordHash: 'none', createdAt: this.service.now };
    await this.service.database.db.user.create({ data: { ...data, companyId: this.companyId, role: 'sub' } });
    return { email: data.email };
  }

  async administrator() {
    const data = { email: email(), passwordHash: 'none', createdAt: this.service.now };
    await this.service.database.db.administrator.create({ data });
    return { email: data.email };
  }

  async category() {
    const { categoryId } = await addCategory(this.service.context(), { name: `Categoria ${++made}` });
    return { categoryId: BigInt(categoryId) };
  }
}

const ofCompany = ({ companyId }: Given) => ({ companyId });
const reason = 'Porque sim.';

/** An input that changes something. */
const inputs: Readonly<Record<AuditAction, (given: Given) => object | Promise<object>>> = {
  'administrator.created': () => ({ email: email(), password }),
  'administrator.password_set': async (given) => ({ ...(await given.administrator()), password }),
  'administrator.removed': (given) => given.administrator(),
  'administrator.unlocked': (given) => given.administrator(),
  'category.activated': async (given) => {
    const category = await given.category();
    await deactivateCategory(given.service.context(), category);
    return category;
  },
  'category.created': () => ({ name: `Categoria ${++made}`, parent: 1n }),
  'category.deactivated': (given) => given.category(),
  'category.renamed': async (given) => ({ ...(await given.category()), name: 'Outra' }),
  'company.approved': ofCompany,
  'company.changed': ({ companyId }) => ({ companyId, autoPublish: true }),
  'company.created': () => ({ name: 'Oficina', plan: 'Pro', verified: true }),
  'company.districts_set': ({ companyId }) => ({ companyId, districts: [11, 13] }),
  'company.reinstated': async ({ companyId, service }) => {
    await service.database.db.company.update({ where: { id: companyId }, data: { suspendedAt: service.now } });
    return { companyId };
  },
  'company.suspended': ofCompany,
  'credential.issued': ({ companyId }) => ({ companyId, environment: 'sandbox', access: 'write' }),
  'credential.replaced': async (given) => ({ ...(await given.credential()), overlapHours: 1 }),
  'credential.revoked': (given) => given.credential(),
  'grant.ended': async ({ companyId, service }) => {
    await grantComplimentary(service.context(), { companyId, limit: 3 });
    return { companyId };
  },
  'grant.given': ({ companyId }) => ({ companyId, limit: 3 }),
  'job.approved': (given) => given.job(),
  'job.denied': async (given) => ({ ...(await given.job()), reason }),
  'job.removed': (given) => given.job(),
  'job.resubmitted': async (given) => {
    const job = await given.job();
    await denyJob(given.service.context(), { ...job, reason });
    return job;
  },
  'job.withdrawn': (given) => given.job(),
  'maintenance.ended': async ({ service }) => {
    await startMaintenance(service.context(), {});
    return {};
  },
  'maintenance.started': async ({ service }) => {
    await endMaintenance(service.context(), {});
    return {};
  },
  'plan.set': () => ({ name: `Plano ${++made}`, limit: 3 }),
  'reference.seeded': async ({ service }) => {
    await service.database.db.district.delete({ where: { id: 20 } });
    return {};
  },
  'sandbox.reset': async (given) => {
    await given.job('sandbox');
    return { companyId: given.companyId };
  },
  'subscription.ended': ofCompany,
  'subscription.set': ({ companyId }) => ({ companyId, plan: 'Pro' }),
  'user.created': ({ companyId }) => ({ companyId, email: email(), role: 'main', password }),
  'user.password_set': async (given) => ({ ...(await given.user()), password }),
  'user.removed': (given) => given.user(),
  'user.unlocked': (given) => given.user(),
};

const kinds = ['fails', 'disconnects', 'loses its answer', 'hangs'] as const;

describe('any statement of a change may fail', function () {
  this.timeout(300_000);
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  const given = async (records: AuditAction): Promise<object> => {
    const isApproved = records !== 'company.approved';
    const facts = { plan: 'Especial', verified: true, productionApproved: isApproved };
    const { companyId } = await createCompany(service.context(), { name: 'Oficina Exemplo', ...facts });
    const input = await inputs[records](new Given(service, companyId));
    await takeRows(service.database.db);
    return input;
  };

  /** Runs the operation and returns its status, as the service would answer it, and the rows that it wrote. */
  async function run({ answer }: Declaration, input: object, fault?: Fault) {
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
    if (fault) expect(boundaries.hasFired, 'the fault happened').to.equal(true);
    expect(status, JSON.stringify(lines)).to.not.equal(500);
    return { status, changes: (await takeRows(database.db)).changes };
  }

  for (const operation of declarations) {
    const { records, command } = operation;
    if (!records) continue;
    it(`of ${command}: all of it is done, with its audit entry, or nothing`, async () => {
      await run(operation, await given(records));
      const clean = await run(operation, await given(records));
      expect(clean.status).to.equal(200);
      const entries = clean.changes.filter((change) => change.startsWith('written audit_entries'));
      expect(entries).to.have.length(1);
      const calls = [...service.boundaries.calls];
      for (const fault of calls.flatMap((call) => kinds.map((kind): Fault => ({ call, kind })))) {
        const about = `${fault.call} ${fault.kind}`;
        const input = await given(records);
        const faulted = await run(operation, input, fault);
        expect(faulted.status, about).to.be.oneOf([200, 503]);
        const hasHappened = faulted.changes.length > 0;
        if (hasHappened || faulted.status === 200) expect(faulted.changes, about).to.deep.equal(clean.changes);
        const again = await run(operation, input);
        if (!hasHappened) expect(again, about).to.deep.equal(clean);
      }
    });
  }

  it('that hangs when its transaction has taken too long ends as a refusal', async () => {
    const { boundaries } = service;
    const operation = declarations.find(({ records }) => records === 'company.districts_set');
    if (!operation) throw new Error('there is no such operation');
    // Two statements take nearly as long as they may. The next one is under way when the transaction ends.
    boundaries.gate = async (call) => {
      if (call === 'database: SELECT companies' || call === 'database: SELECT districts') boundaries.takeTime(4000);
    };
    const input = await given('company.districts_set');
    const slow = await run(operation, input, { call: 'database: DELETE allowed_districts', kind: 'hangs' });
    boundaries.gate = undefined;
    expect(slow).to.deep.equal({ status: 503, changes: [] });
    expect((await run(operation, input)).status).to.equal(200);
  });
});
