import fc from 'fast-check';
import { server } from '../helper/fixtures.ts';
import { restCaller } from '../helper/protocol-callers.ts';
import { anySteps, runSteps } from '../helper/reference-model.ts';

describe('two companies in two environments', () => {
  it('agree with a model after any sequence of creates, replays, changes, withdrawals, reads and lists', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) =>
        runSteps(steps, async (company, environment) => [
          restCaller(server(), environment, await company.secret(environment, 'write')),
        ]),
      ),
      { numRuns: 25 },
    );
  });
});
