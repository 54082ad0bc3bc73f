import fc from 'fast-check';
import { restDoor } from '../helper/door.ts';
import { anySteps, runSteps } from '../helper/model.ts';
import { server } from '../helper/world.ts';

describe('two companies in two environments', () => {
  it('agree with a model after any sequence of creates, replays, changes, withdrawals, reads and lists', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) =>
        runSteps(steps, async (company, environment) => [
          restDoor(server(), environment, await company.secret(environment, 'write')),
        ]),
      ),
      { numRuns: 25 },
    );
  });
});
