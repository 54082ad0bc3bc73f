import { setTimeout as sleep } from 'node:timers/promises';
import { checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, type Outcome, outcome, quantile, whole } from './fault.ts';
import { folderPlace, type Place, Subject, serverPlace } from './subject.ts';

/** The time between a start and the next kill. */
const acknowledgedMin = 100;
const furtherMsMax = 400;

async function killAgainAndAgain(place: Place, kills: number, creators: number): Promise<Outcome> {
  const subject = await Subject.start(place);
  try {
    const load = new Creators(subject.origin, subject.token, creators);
    const downMs: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await load.progress(acknowledgedMin);
      await sleep(Math.random() * furtherMsMax);
      await subject.kill();
      const died = performance.now();
      await subject.start();
      await load.progress(1);
      downMs.push(performance.now() - died);
    }
    await load.stop();
    const code = await subject.stop();
    const found = await checkJobs(subject, load);
    return outcome(
      `${kills} kills under ${creators} creators: next acknowledgement ${whole(quantile(downMs, 0.5))} ms after a kill; ${found.figures}`,
      found.promises,
      { 'it stops when asked': code === 0 },
    );
  } finally {
    await subject.remove();
  }
}

const promise =
  'kill -9 of the service under writes loses nothing that was acknowledged, makes nothing twice and counts right';

export const killService: Fault = {
  name: 'kill-service',
  promise,
  run: async (scale) => killAgainAndAgain(await serverPlace(), scale === 'full' ? 20 : 3, 50),
};

export const killEmbedded: Fault = {
  name: 'kill-embedded',
  promise: `on the embedded database ${promise}`,
  run: async (scale) => killAgainAndAgain(await folderPlace(), scale === 'full' ? 20 : 3, 20),
};
