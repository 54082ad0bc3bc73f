import { expect } from 'chai';
import { migrateServer } from '../../src/database/migrations.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import { Skipped } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { makeCompany, operatorOf, placeAt, signIn, unlimited, withStore } from '../faults/subject.ts';
import { rolesOfGuide } from '../helper/guide-roles.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { onServer } from '../helper/test-database.ts';

describe('the roles of the deploy guide', () => {
  let postgres: PrivatePostgres;
  before(async function () {
    const made = await PrivatePostgres.make().catch((error: unknown) => {
      if (error instanceof Skipped) return this.skip();
      throw error;
    });
    postgres = made;
  });
  let service: ServiceProcess | undefined;
  after(async () => {
    service?.signal('SIGKILL');
    await service?.ended();
    await postgres?.remove();
  });

  it('the owner migrates, and the service works with a role that may only read and write rows', async () => {
    const { owner, service: url } = await rolesOfGuide(postgres);
    await migrateServer(owner);
    const place = placeAt(url, async () => undefined);
    const { token, companyId } = await withStore(place, makeCompany);
    const [email, password] = ['ana@example.com', 'uma frase que é longa'];
    await withStore(place, (store) => createUser(operatorOf(store), { companyId, email, role: 'main', password }));
    service = await ServiceProcess.listening({ ...unlimited, NODE_ENV: 'production', DATABASE_URL: url });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' };
    const job = { method: 'POST', headers, body: JSON.stringify(minimalJob) };
    const made = await fetch(`${service.address}/v1/jobs`, job);
    const repeated = await fetch(`${service.address}/v1/jobs`, job);
    expect([made.status, repeated.status]).to.deep.equal([201, 200]);
    const location = made.headers.get('location') ?? '';
    for (const [method, body, status] of [
      ['PATCH', '{"title":"Outro"}', 200],
      ['DELETE', undefined, 204],
    ] as const)
      expect((await fetch(service.address + location, { method, headers, body: body ?? null })).status).to.equal(
        status,
      );
    const cookie = await signIn(service.address, email, password);
    expect((await fetch(`${service.address}/dashboard/requests`, { headers: { cookie } })).status).to.equal(200);
    expect(await service.stop()).to.equal(0);
    expect(service.errors).to.equal('');
    for (const forbidden of ['CREATE TABLE a ()', 'DROP TABLE jobs', 'TRUNCATE jobs', 'ALTER TABLE jobs ADD a int']) {
      const refused = await onServer(url, (client) => client.query(forbidden)).catch((error) => error.code);
      expect(refused, forbidden).to.equal('42501');
    }
  });
});
