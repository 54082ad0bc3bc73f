import { setTimeout as sleep } from 'node:timers/promises';
import { minimalJob } from '../helper/sample-jobs.ts';
import { type Answer, History } from './history.ts';
import { HotJob } from './hot-job.ts';
import { Loops } from './loops.ts';
import { post } from './traffic.ts';

const backOffMs = { first: 25, factor: 2, most: 400 };
/** Clients of each hot job, and the minimum pause between two requests of one client. */
const changers = 3;
const changePauseMs = 100;

/** Four of ten keys are used a second time, in these ways. */
const secondUses = [
  { title: 'same', atOnce: false },
  { title: 'same', atOnce: true },
  { title: 'other', atOnce: false },
  { title: 'other', atOnce: true },
] as const;

/**
 * Clients of one company. Some create one job after the other: after no answer or a 503 they back off, and repeat the same JSON with the
 * same key until it is answered. The others change hot jobs.
 */
export class Creators extends Loops {
  /** The id that the service returned, by the title that was sent. */
  readonly acknowledged = new Map<string, number>();
  /** Descriptions of wrong answers. */
  readonly wrong: string[] = [];
  readonly history: History;
  readonly #hotJobs: HotJob[] = [];

  constructor(origin: string, token: string, count: number, { pauseMs = 0, hotJobs = 2 } = {}) {
    super();
    this.history = new History(origin, token);
    for (let creator = 0; creator < count; creator++)
      this.start((round) => this.#create(`creator-${creator}-${round}`, secondUses[round % 10]), pauseMs);
    for (let place = 0; place < hotJobs; place++) {
      const job = new HotJob(this.history, (name) => this.#untilAnswered(`hot-${place}-${name}`));
      this.#hotJobs.push(job);
      for (let client = 0; client < changers; client++)
        this.start(() => this.#change(job), Math.max(pauseMs, changePauseMs));
    }
  }

  /** Resolves when this many more creates have been acknowledged, or an answer was wrong. */
  async progress(more: number): Promise<void> {
    const target = this.acknowledged.size + more;
    while (this.acknowledged.size < target && this.wrong.length === 0) await sleep(5);
  }

  /** Reads every hot job again: each acknowledged change must be there. */
  override async stop(): Promise<void> {
    await super.stop();
    for (const { ids } of this.#hotJobs)
      for (const id of ids.splice(0)) await this.history.ask({ path: `/v1/jobs/${id}` });
  }

  async #create(key: string, second: (typeof secondUses)[number] | undefined): Promise<void> {
    const createAs = async (title: string): Promise<void> => {
      const id = await this.#untilAnswered(key, title);
      if (id !== undefined) this.acknowledged.set(title, id);
    };
    const first = createAs(key);
    if (!second?.atOnce) await first;
    await Promise.all([first, second && createAs(second.title === 'same' ? key : `${key} again`)]);
  }

  /** The job's id. Undefined if other JSON came first (409, which the check of the history judges), or if the load is stopped. */
  async #untilAnswered(key: string, title = key): Promise<number | undefined> {
    const create = post({ ...minimalJob, title }, key);
    for (let wait = backOffMs.first; !this.isStopped; wait = Math.min(wait * backOffMs.factor, backOffMs.most)) {
      const answer = await this.history.ask(create);
      if (answer && answer.status <= 201) return idOf(answer);
      if (answer?.status === 409) return undefined;
      this.#note(key, answer);
      await sleep(wait);
    }
    return undefined;
  }

  async #change(job: HotJob): Promise<void> {
    const answer = await job.request();
    if (answer && [200, 204, 412].includes(answer.status)) return;
    this.#note('a hot job', answer);
    await sleep(backOffMs.most);
  }

  #note(what: string, answer: Answer | undefined): void {
    if (!answer) return;
    if (answer.status !== 503) this.wrong.push(`${what} got ${answer.status} ${JSON.stringify(answer.body)}`);
    else if (!Number(answer.headers.get('Retry-After'))) this.wrong.push(`${what} got 503 without Retry-After`);
  }
}

/** The contract types `{data: Job}`; a body without it counts as id NaN, which no job has. */
const idOf = ({ body }: Answer): number => Number((body as { data?: { id?: unknown } } | undefined)?.data?.id);
