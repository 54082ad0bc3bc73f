import type { Answer, History, Question } from './history.ts';

/** After this many requests another job takes its place, so that each history is short. */
const requestsMax = 50;
const withdrawnAfter = [40, 45];

/** A job that several clients read, change and withdraw at the same time. */
export class HotJob {
  /** Every former hot job. */
  readonly ids: number[] = [];
  readonly #history: History;
  readonly #make: (name: string) => Promise<number | undefined>;
  #id: Promise<number | undefined> = Promise.resolve(undefined);
  #requests = 0;
  /** The ETag that an answer showed last. */
  #etag: string | undefined;

  /** `make` creates a job, or gives up. */
  constructor(history: History, make: (name: string) => Promise<number | undefined>) {
    this.#history = history;
    this.#make = make;
  }

  /** Sends one request. Undefined without a complete answer. */
  async request(): Promise<Answer | undefined> {
    const turn = this.#requests++;
    if (turn % requestsMax === 0) this.#id = this.#replace(turn);
    const id = await this.#id;
    if (id === undefined) return undefined;
    const answer = await this.#history.ask(this.#question(id, turn));
    this.#etag = answer?.headers.get('ETag') ?? this.#etag;
    return answer;
  }

  async #replace(turn: number): Promise<number | undefined> {
    const id = await this.#make(String(turn));
    if (id !== undefined) this.ids.push(id);
    this.#etag = undefined;
    return id;
  }

  #question(id: number, turn: number): Question {
    const path = `/v1/jobs/${id}`;
    const headers: Record<string, string> = this.#etag && turn % 4 < 2 ? { 'If-Match': this.#etag } : {};
    if (withdrawnAfter.includes(turn % requestsMax)) return { method: 'DELETE', path, headers };
    if (turn % 3 === 0) return { path };
    const value = `changed ${id} ${turn}`;
    return { method: 'PATCH', path, headers, body: turn % 2 === 0 ? { title: value } : { remote_policy: value } };
  }
}
