import fc from 'fast-check';
import { server } from '../helper/fixtures.ts';
import { callers } from '../helper/protocol-callers.ts';
import { anySteps, runSteps } from '../helper/reference-model.ts';

describe('two companies in two environments, each step over either protocol', () => {
  it('agree with one model after any sequence of creates, replays, changes, withdrawals, reads and lists', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) =>
        runSteps(steps, async (company, environment) => {
          const secret = await company.secret(environment, 'write');
          return callers.map((caller) => caller(server(), environment, secret));
        }),
      ),
      { numRuns: 20 },
    );
  }).timeout(120_000);
});
