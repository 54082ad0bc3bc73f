import { setTimeout as sleep } from 'node:timers/promises';
import { minimalJob } from '../helper/sample-jobs.ts';
import { type Answer, ask, type TimedAnswer } from './ask.ts';
import { Loops } from './loops.ts';

/** Every so many creates, an acknowledged one is sent again. */
const repeatedEvery = 5;
const backOffMs = { first: 25, factor: 2, most: 400 };

/**
 * Clients that create one job after the other. After no answer or a 503 they back off and repeat the same JSON with the same key
 * until it is acknowledged.
 */
export class Creators extends Loops {
  /** The id that the service returned, by key. */
  readonly acknowledged = new Map<string, number>();
  /** Descriptions of wrong answers. */
  readonly wrong: string[] = [];
  readonly answers: TimedAnswer[] = [];
  unanswered = 0;
  unavailable = 0;
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string, count: number, pauseMs = 0) {
    super();
    this.#origin = origin;
    this.#token = token;
    for (let creator = 0; creator < count; creator++)
      this.start((round) => this.#create(`creator-${creator}-${round}`, round % repeatedEvery === 0), pauseMs);
  }

  /** Resolves when so many more creates have been acknowledged, or an answer was wrong. */
  async progress(more: number): Promise<void> {
    const target = this.acknowledged.size + more;
    while (this.acknowledged.size < target && this.wrong.length === 0) await sleep(5);
  }

  async #create(key: string, isRepeated: boolean): Promise<void> {
    const id = await this.#untilAcknowledged(key);
    this.acknowledged.set(key, id);
    const again = isRepeated ? await this.#untilAcknowledged(key) : id;
    if (again !== id) this.wrong.push(`${key} made ${id} and then ${again}`);
  }

  async #untilAcknowledged(key: string): Promise<number> {
    for (let wait = backOffMs.first; ; wait = Math.min(wait * backOffMs.factor, backOffMs.most)) {
      const headers = { 'Idempotency-Key': key };
      const answer = await ask(this.#origin, this.#token, {
        method: 'POST',
        path: '/v1/jobs',
        headers,
        body: { ...minimalJob, title: key },
      });
      if (answer) this.answers.push({ status: answer.status, ms: answer.ms, at: performance.now() });
      if (answer && (answer.status === 201 || answer.status === 200)) return idOf(answer);
      this.#note(key, answer);
      await sleep(wait);
    }
  }

  #note(key: string, answer: Answer | undefined): void {
    if (!answer) this.unanswered++;
    else if (answer.status !== 503) this.wrong.push(`${key} got ${answer.status} ${JSON.stringify(answer.body)}`);
    else if (!Number(answer.headers.get('Retry-After'))) this.wrong.push(`${key} got 503 without Retry-After`);
    else this.unavailable++;
  }
}

/** The contract types `{data: Job}`; a body without it counts as id NaN, which no job has. */
const idOf = ({ body }: Answer): number => Number((body as { data?: { id?: unknown } } | undefined)?.data?.id);
