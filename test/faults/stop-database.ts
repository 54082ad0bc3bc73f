import { setTimeout as sleep } from 'node:timers/promises';
import { checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, type Outcome, outcome, quantile, type Scale, secondsMax, whole } from './fault.ts';
import { msOf } from './history.ts';
import { Readers } from './loops.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import { onPrivatePostgres, type Subject } from './subject.ts';

const downMs = 1500;
const creators = 30;
const stops = { full: 6, short: 2 };

/** Stops and starts the server under load. Returns how long the next create took each time after the server was back. */
async function stopAgainAndAgain(postgres: PrivatePostgres, load: Creators, times: number): Promise<number[]> {
  const recoveries: number[] = [];
  for (let time = 0; time < times; time++) {
    await load.progress(200);
    await postgres.stop(time % 2 === 0 ? 'immediate' : 'fast');
    await sleep(downMs);
    await postgres.start();
    const back = performance.now();
    await load.progress(1);
    recoveries.push(performance.now() - back);
  }
  await load.progress(200);
  return recoveries;
}

async function tryOn(postgres: PrivatePostgres, subject: Subject, scale: Scale): Promise<Outcome> {
  const times = stops[scale];
  const max = secondsMax[scale];
  const load = new Creators(subject.origin, subject.token, creators);
  const readers = new Readers(subject.origin, subject.token, { path: '/v1/jobs', count: 5, pauseMs: 20 });
  const recoveries = await stopAgainAndAgain(postgres, load, times);
  await Promise.all([load.stop(), readers.stop()]);
  const lived = subject.service.running;
  await subject.stop();
  const found = await checkJobs(subject, load);
  const refused = readers.history.answered.filter(({ status }) => status !== 200);
  const slowest = Math.max(...refused.map(msOf));
  return outcome(
    `${times} stops of PostgreSQL under ${creators} creators and 5 readers: ${whole(refused.length)} reads refused, the slowest after ` +
      `${whole(slowest)} ms; recovery ${whole(quantile(recoveries, 0.5))} ms, at most ${whole(Math.max(...recoveries))} ms; ${found.figures}`,
    found.promises,
    {
      'the process lives on': lived,
      [`a create succeeds within ${max} s`]: recoveries.every((ms) => ms <= max * 1000),
      'the answer meanwhile is 503 with Retry-After': refused.every(
        ({ status, retryAfter }) => status === 503 && Number(retryAfter) > 0,
      ),
      'every request is answered': load.history.count(0) + readers.history.count(0) === 0,
      // The wait for a connection, and a margin.
      [`the 503 comes within ${max} s`]: refused.length > 0 && slowest <= max * 1000,
    },
  );
}

export const stopDatabase: Fault = {
  name: 'stop-database',
  promise:
    'while PostgreSQL is stopped the answer is 503 with Retry-After; the service recovers by itself and nothing is lost',
  run: (scale) => onPrivatePostgres((postgres, subject) => tryOn(postgres, subject, scale)),
};
