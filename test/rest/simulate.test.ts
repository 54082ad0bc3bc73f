import { expect } from 'chai';
import { listRequests } from '../../src/operations/requests/people/list-requests.ts';
import { actionContext, newCompany, startWholeApp } from '../helper/fixtures.ts';
import { type Call, callers, createJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const listOptions = { operationId: 'listOptions' } as const;
const create = createJob(minimalJob, 'k');

// parity/outcomes.test.ts tests 429, 503 and refused values.
describe('X-Simulate: lost-response', () => {
  for (const open of callers)
    it(`runs the operation and drops the response; the request log says 499: ${open.name}`, async () => {
      const { server, settle } = await startWholeApp();
      const acme = await newCompany();
      const caller = open(server, 'sandbox', await acme.secret('sandbox', 'write'));
      const simulate = (value: string, call: Call) =>
        caller.run({ ...call, headers: { 'X-Simulate': value } }).catch(({ code }: { code: string }) => code);
      const lose = async (call: Call) => expect(await simulate('lost-response', call)).to.equal('ECONNRESET');
      for (const call of [listOptions, create, create]) await lose(call);
      const replayed = await caller.run(create);
      const { id } = (replayed.body as { data: { id: number } }).data;
      for (const call of [updateJob(id, { title: 'Outra' }), withdrawJob(id)]) await lose(call);
      await simulate('429', listOptions);
      const { data } = (await caller.run(listJobs())).body as { data: object[] };
      expect([replayed.status, data.length]).to.deep.equal([200, 1]);
      expect(data[0]).to.include({ id, title: 'Outra', status: 'inactive' });
      await settle();
      const { items } = await listRequests(actionContext(), { companyId: acme.id, environment: 'sandbox' });
      expect(items.map(({ operation, status }) => `${operation} ${status}`).reverse()).to.deep.equal([
        ...['listOptions 499', 'createJob 499', 'createJob 499', 'createJob 200', 'updateJob 499', 'withdrawJob 499'],
        ...['listOptions 429', 'listJobs 200'],
      ]);
    });
});
