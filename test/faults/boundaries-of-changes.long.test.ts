import { expect } from 'chai';
import { declarations } from '../../src/operations/declarations.ts';
import type { Declaration } from '../../src/operations/kit/declare.ts';
import { toRefusal } from '../../src/server/answer.ts';
import type { Fault } from '../helper/boundaries.ts';
import { newWork } from '../helper/declared-inputs.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { takeRows } from '../helper/row-changes.ts';
import { BoundedService } from './bounded-app.ts';
import { everyFault } from './every-fault.ts';

describe('any statement of a change may fail', () => {
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  /** Prepares what the operation needs. The returned function runs the operation and answers like the service. */
  const make = async (operation: Declaration) => {
    if (operation.records === 'reference.seeded') await service.database.db.district.delete({ where: { id: 20 } });
    const { input } = await newWork(operation, () => service.context());
    await takeRows(service.database.db);
    return async (fault?: Fault) => {
      const { boundaries, watched, database } = service;
      const { log, lines } = recordedLog();
      boundaries.begin(fault);
      const asked = operation.answer(service.context(watched), { ...input });
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
    it(`of ${operation.command}: either everything is done, with its audit entry, or nothing`, async () => {
      const changes = await everyFault(service, { make: () => make(operation), status: 200 });
      expect(changes.filter((change) => change.startsWith('written audit_entries'))).to.have.length(1);
    });

  it('of company erase: the next erase removes the rest, with one audit entry', async () => {
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

  it('that hangs past its transaction’s timeout ends as a refusal', async () => {
    const { boundaries } = service;
    const operation = declarations.find(({ records }) => records === 'company.districts_set');
    if (!operation) throw new Error('there is no such operation');
    await (await make(operation))();
    const inTransaction = boundaries.calls.slice(boundaries.calls.indexOf('database: BEGIN') + 1);
    const run = await make(operation);
    // Two statements take nearly as long as allowed. The next one is in flight when the transaction ends.
    boundaries.gate = async (call) => {
      if (inTransaction.slice(0, 2).includes(call)) boundaries.takeTime(4000);
    };
    const slow = await run({ call: inTransaction[2] ?? '', kind: 'hangs' });
    boundaries.gate = undefined;
    expect(slow).to.deep.equal({ status: 503, changes: [] });
    expect((await run()).status).to.equal(200);
  });
});
