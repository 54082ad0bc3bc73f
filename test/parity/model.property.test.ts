import fc from 'fast-check';
import { doors } from '../helper/door.ts';
import { anySteps, runSteps } from '../helper/model.ts';
import { server } from '../helper/world.ts';

describe('two companies in two environments, each step through either door', () => {
  it('agree with one model after any sequence of creates, replays, changes, withdrawals, reads and lists', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) =>
        runSteps(steps, async (company, environment) => {
          const secret = await company.secret(environment, 'write');
          return doors.map((door) => door(server(), environment, secret));
        }),
      ),
      { numRuns: 20 },
    );
  }).timeout(120_000);
});
