import { setTimeout as sleep } from 'node:timers/promises';
import { checkJobs, promisesAboutJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, quantile, whole } from './fault.ts';
import { folderPlace, type Place, serverPlace } from './place.ts';
import { Subject } from './subject.ts';

interface Plan {
  readonly kills: number;
  readonly creators: number;
}

/** Between a start and the next kill. */
const acknowledgedMin = 100;
const furtherMsMax = 400;

async function killAgainAndAgain(place: Place, { kills, creators }: Plan): Promise<Outcome> {
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
    const found = await checkJobs(place, subject.companyId, load);
    return {
      figures:
        `${kills} kills under ${creators} creators: ${whole(load.acknowledged.size)} acknowledged, ` +
        `${found.lost} lost, ${found.duplicates} duplicates, usage ${whole(found.used)} of ${whole(found.jobs)} jobs; ` +
        `${whole(load.history.unanswered)} requests cut or refused, next acknowledgement ${whole(quantile(downMs, 0.5))} ms after a kill; ` +
        found.history.figures,
      broken: [...brokenOf({ ...promisesAboutJobs(found), 'it stops when asked': code === 0 }), ...load.wrong],
    };
  } finally {
    await subject.remove();
  }
}

export const killService: Fault = {
  name: 'kill-service',
  run: async (scale) => killAgainAndAgain(await serverPlace(), { kills: scale === 'full' ? 20 : 3, creators: 50 }),
};

export const killEmbedded: Fault = {
  name: 'kill-embedded',
  run: async (scale) => killAgainAndAgain(await folderPlace(), { kills: scale === 'full' ? 20 : 3, creators: 20 }),
};
