import type { Fields, Seen } from './history.ts';

/** What is known of a job or a key. A missing field may have any value; the first answer that shows it says which. */
type State = Fields;

interface Operation {
  readonly begin: number;
  /** Infinity if it may have happened at any time after its begin, or never. */
  readonly end: number;
  /** The state afterwards; undefined if the operation would have been answered otherwise. */
  readonly step: (state: State) => State | undefined;
}

/** Knows what `shown` shows; undefined if it contradicts the state. */
function agree(state: State, shown: Fields): State | undefined {
  const known = Object.entries(shown).filter(([, value]) => value !== undefined);
  const agrees = known.every(([field, value]) => state[field] === undefined || state[field] === value);
  return agrees ? { ...state, ...Object.fromEntries(known) } : undefined;
}

/** A change that changes nothing keeps the ETag; after another it is not known until an answer shows it. */
function write(state: State, fields: Fields): State {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (sent.every(([field, value]) => state[field] === value)) return state;
  return { ...state, ...Object.fromEntries(sent), etag: undefined };
}

/** A job is a register. */
const jobStep = ({ operation, status, sent, ifMatch, shown }: Seen): Operation['step'] => {
  const isWithdrawn = (state: State) => operation === 'withdraw' && state.status === 'inactive';
  const matches = (state: State) => ifMatch === undefined || state.etag === ifMatch || isWithdrawn(state);
  return (state) => {
    // No job is ever removed.
    if (status === 404) return undefined;
    if (operation === 'create' || operation === 'read') return agree(state, shown);
    if (status === 412) {
      const found = agree(state, shown);
      return found && !matches(found) ? found : undefined;
    }
    return matches(state)
      ? agree(write(state, operation === 'withdraw' ? { status: 'inactive' } : sent), shown)
      : undefined;
  };
};

/** A create is a compare-and-set on its key: `json` is null until one succeeds. */
const keyStep = ({ status, sent, job }: Seen): Operation['step'] => {
  const json = JSON.stringify(sent);
  return (state) => {
    if (status === 201) return state.json === null ? { json, job } : undefined;
    if (status === 200) return state.json === json ? agree(state, { job }) : undefined;
    if (status === 409) return state.json !== null && state.json !== json ? state : undefined;
    return state.json === null ? { json } : state;
  };
};

const keyStart: State = { json: null };
const stateFields = ['title', 'remote_policy', 'status', 'etag', 'json', 'job'];
const done = [200, 201, 204, 304, 404, 409, 412];

/** Undefined for a request that the service promises not to have executed. After 503 `database` a commit's answer may have been lost. */
function possible(seen: Seen, step: Operation['step']): Operation | undefined {
  const { begin, end, status, reason } = seen;
  if (done.includes(status)) return { begin, end, step };
  const mayHaveHappened =
    end === Number.POSITIVE_INFINITY || status === 500 || (status === 503 && reason === 'database');
  return mayHaveHappened && seen.operation !== 'read' ? { begin, end: Number.POSITIVE_INFINITY, step } : undefined;
}

/**
 * Whether the operations can have happened one after the other, each between its begin and its end (Wing and Gong, with Lowe's memory of
 * what was tried). Tries with as few of the unanswered ones as possible: each more only narrows what may follow.
 */
function isLinearizable(operations: readonly Operation[], start: State): boolean {
  const latestFirst = [...operations].sort((a, b) => (a.end === b.end ? 0 : b.end - a.end));
  const all = latestFirst.map((one, index) => ({ ...one, bit: 1n << BigInt(index) }));
  const answered = all.filter(({ end }) => end !== Number.POSITIVE_INFINITY);
  const required = answered.reduce((bits, { bit }) => bits | bit, 0n);
  const tried = new Map<string, bigint[]>();
  let level = [{ happened: 0n, state: start }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (let at = level.pop(); at; at = level.pop()) {
      const { happened, state } = at;
      if ((happened & required) === required) return true;
      const key = `${happened & required} ${JSON.stringify(state, stateFields)}`;
      const before = tried.get(key) ?? [];
      if (before.some((fewer) => (fewer & happened) === fewer)) continue;
      tried.set(key, [...before, happened]);
      const horizon = Math.min(...answered.map(({ bit, end }) => (happened & bit ? Number.POSITIVE_INFINITY : end)));
      for (const { bit, begin, end, step } of all) {
        if (happened & bit || begin > horizon) continue;
        const after = step(state);
        if (after) (end === Number.POSITIVE_INFINITY ? next : level).push({ happened: happened | bit, state: after });
      }
    }
    level = next;
  }
  return false;
}

/** The jobs and keys whose answers contradict each other. Each is checked on its own, because linearizability is local. */
export function contradictions(history: readonly Seen[]): {
  readonly objects: number;
  readonly found: readonly string[];
} {
  const objects = new Map<string, { start: State; operations: Operation[] }>();
  const add = (name: string, start: State, operation: Operation | undefined): void => {
    const object = objects.get(name) ?? { start, operations: [] };
    if (operation) object.operations.push(operation);
    objects.set(name, object);
  };
  for (const seen of history) {
    const { operation, key, job } = seen;
    if (operation === 'create') add(`key ${key}`, keyStart, possible(seen, keyStep(seen)));
    if (operation !== 'other' && job !== undefined) add(`job ${job}`, {}, possible(seen, jobStep(seen)));
  }
  const found = [...objects].filter(([, { start, operations }]) => !isLinearizable(operations, start));
  return { objects: objects.size, found: found.map(([name]) => name) };
}
