import type { Fields, Seen } from './history.ts';

// The rules of a company's jobs, keys, quota and credential, and the check that all observations of its clients fit one order of their
// requests.

/** What is known about one subject. A missing field may have any value; the first answer that shows it determines the value. */
type State = Fields;
/** The knowledge after a request. Undefined if the model would have answered differently. */
type Rule = (state: State, seen: Seen) => State | undefined;

const known = (fields: Fields): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== undefined);

/** Adds what `shown` shows to the knowledge. Undefined if it contradicts the state. */
function agree(state: State, shown: Fields): State | undefined {
  const agrees = known(shown).every(([field, value]) => state[field] === undefined || state[field] === value);
  return agrees ? { ...state, ...Object.fromEntries(known(shown)) } : undefined;
}

/** A change without effect keeps the ETag. After another change, the ETag is unknown until an answer shows it. */
function write(state: State, fields: Fields): State {
  if (known(fields).every(([field, value]) => state[field] === value)) return state;
  return { ...state, ...Object.fromEntries(known(fields)), etag: undefined, decided: undefined };
}

/**
 * The status after a change: a denied job goes back to review, and so does a public one of which a field changes, unless the company publishes
 * without review. Undefined if it is not known whether one changes.
 */
function reviewed(state: State, sent: Fields) {
  const { status, isReviewed } = state;
  if (status === 'denied') return 'pending';
  if (status !== 'active' || !isReviewed || known(sent).every(([field, value]) => state[field] === value))
    return status;
  return known(sent).some(([field]) => state[field] === undefined) ? undefined : 'pending';
}

/** A job is a register; `decided` says which decision its latest change was, all of them one person's. Only a reset of the sandbox removes it. */
const job: Rule = (state, { operation, status, sent, ifMatch, shown }) => {
  if (status === 404) return state.isGone === true ? state : undefined;
  if (operation === 'reset') return { ...state, isGone: true };
  if (status === 201) return state.isGone === false ? undefined : agree({ ...state, isGone: false }, shown);
  if (state.isGone === true) return undefined;
  if (['create', 'read', 'found'].includes(operation)) return agree(state, shown);
  if (operation === 'expire')
    return state.status === 'active' ? { ...write(state, { status: 'expired' }), decided: state.decided } : state;
  if (operation === 'approve' || operation === 'deny') {
    const isRefused = state.status !== 'pending' && state.decided !== operation;
    if (status === 409 || isRefused) return status === 409 && isRefused ? state : undefined;
    if (state.decided === operation) return state;
    return { ...write(state, { status: operation === 'deny' ? 'denied' : 'active' }), decided: operation };
  }
  if (operation === 'undo') {
    const isRefused = state.status !== 'pending' && state.decided === undefined;
    if (status === 409 || isRefused) return status === 409 && isRefused ? state : undefined;
    return write(state, { status: 'pending' });
  }
  const isWithdrawn = ({ status }: State) => operation === 'withdraw' && status === 'inactive';
  const matches = (now: State) => ifMatch === undefined || now.etag === ifMatch || isWithdrawn(now);
  if (status === 412) {
    const found = agree(state, shown);
    return found && !matches(found) ? found : undefined;
  }
  if (!matches(state)) return undefined;
  const fields = operation === 'withdraw' ? { status: 'inactive' } : { ...sent, status: reviewed(state, sent) };
  return agree(write(state, fields), shown);
};

/** A create is a compare-and-set on its key: `json` is null until one succeeds. */
const key: Rule = (state, { operation, status, sent, job }) => {
  const json = JSON.stringify(sent);
  if (operation === 'reset') return { json: null };
  if (status === 201) return state.json === null ? { json, job } : undefined;
  if (status === 200) return state.json === json ? agree(state, { job }) : undefined;
  if (status === 409) return state.json !== null && state.json !== json ? state : undefined;
  if (status === 403) return state.json === null ? state : undefined;
  return state.json === null ? { json } : state;
};

const quota: Rule = (state, { operation, status, shown }) => {
  const [used, limit] = [Number(state.used), Number(state.limit)];
  if (operation === 'reset') return { limit, used: 0 };
  if (operation === 'account') return agree(state, shown);
  if (status === 403) return used >= limit ? state : undefined;
  if (status !== 201) return state;
  return used < limit ? { limit, used: used + 1 } : undefined;
};

const credential: Rule = (state, { operation, status }) => {
  if (operation === 'revoke') return { isRevoked: true };
  return state.isRevoked === (status === 401) ? state : undefined;
};

const rules = { job, key, quota, credential };
type Kind = keyof typeof rules;
const kindOf = (thing: string) => thing.split(' ', 1)[0] as Kind;

/** The subjects of a request, by kind and name. A reset is about all of them. */
function thingsOf({ operation, status, reason, key, job }: Seen): readonly string[] {
  if (operation === 'other' || operation === 'reset' || (status === 403 && reason !== 'quota')) return [];
  if (operation === 'account') return ['quota'];
  if (operation === 'revoke' || status === 401) return ['credential'];
  const jobs = job === undefined ? [] : [`job ${job}`];
  if (['approve', 'deny', 'undo', 'expire', 'found'].includes(operation)) return jobs;
  return ['credential', ...(operation === 'create' ? [`key ${key}`, 'quota'] : []), ...jobs];
}

interface Operation {
  readonly begin: number;
  /** Infinity if the request may have taken effect at any time after its begin, or never. */
  readonly end: number;
  readonly step: (states: readonly State[]) => readonly State[] | undefined;
}

const done = [200, 201, 204, 304, 401, 403, 404, 409, 412];

/**
 * Undefined for a request that the service promises not to have executed. After 503 `database`, the answer to a commit may have been lost.
 */
function possible(seen: Seen, step: Operation['step']): Operation | undefined {
  const { begin, end, status, reason } = seen;
  if (done.includes(status)) return { begin, end, step };
  const mayHaveHappened =
    end === Number.POSITIVE_INFINITY || status === 500 || (status === 503 && reason === 'database');
  return mayHaveHappened && seen.operation !== 'read' ? { begin, end: Number.POSITIVE_INFINITY, step } : undefined;
}

const stateFields = [
  'title',
  'remote_policy',
  'status',
  'decided',
  'etag',
  'isGone',
  'json',
  'job',
  'used',
  'isRevoked',
];

/**
 * Whether the operations fit a sequential order, each between its begin and its end (Wing and Gong, with Lowe's memoization). Tries orders
 * with few unanswered operations first, because each additional one only narrows the rest.
 */
function isLinearizable(operations: readonly Operation[], start: readonly State[]): boolean {
  const latestFirst = [...operations].sort((a, b) => (a.end === b.end ? 0 : b.end - a.end));
  const all = latestFirst.map((one, index) => ({ ...one, bit: 1n << BigInt(index) }));
  const answered = all.filter(({ end }) => end !== Number.POSITIVE_INFINITY);
  const required = answered.reduce((bits, { bit }) => bits | bit, 0n);
  const tried = new Map<string, bigint[]>();
  let level = [{ happened: 0n, states: start }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (let at = level.pop(); at; at = level.pop()) {
      const { happened, states } = at;
      if ((happened & required) === required) return true;
      const key = `${happened & required} ${JSON.stringify(states, stateFields)}`;
      const before = tried.get(key) ?? [];
      if (before.some((fewer) => (fewer & happened) === fewer)) continue;
      tried.set(key, [...before, happened]);
      const horizon = Math.min(...answered.map(({ bit, end }) => (happened & bit ? Number.POSITIVE_INFINITY : end)));
      for (const { bit, begin, end, step } of all) {
        if (happened & bit || begin > horizon) continue;
        const after = step(states);
        if (after) (end === Number.POSITIVE_INFINITY ? next : level).push({ happened: happened | bit, states: after });
      }
    }
    level = next;
  }
  return false;
}

/** Whether the requests fit one order, as far as these subjects are concerned. */
function haveOneOrder(history: readonly Seen[], starts: Readonly<Record<string, State>>): boolean {
  const things = Object.keys(starts);
  const operations = history.flatMap((seen) => {
    const touched = new Set(seen.operation === 'reset' ? things : thingsOf(seen));
    const step: Operation['step'] = (states) => {
      const after = things.map((thing, n) =>
        touched.has(thing) ? rules[kindOf(thing)](states[n] as State, seen) : states[n],
      );
      return after.includes(undefined) ? undefined : (after as State[]);
    };
    return possible(seen, step) ?? [];
  });
  return isLinearizable(operations, Object.values(starts));
}

/** The initial state of a company. */
export interface Beginning {
  /** How many jobs it may create. */
  readonly limit: number;
  /** Whether its jobs need a decision to become public. */
  readonly isReviewed: boolean;
}

/** Whether all observations of a company fit one order, from its first job on. Every request must have an answer. */
export function isOneOrder(history: readonly Seen[], { limit, isReviewed }: Beginning): boolean {
  const starts = {
    job: { isGone: true, isReviewed },
    key: { json: null },
    quota: { used: 0, limit },
    credential: { isRevoked: false },
  };
  const things = new Set(history.flatMap(thingsOf));
  return haveOneOrder(history, Object.fromEntries([...things].map((thing) => [thing, starts[kindOf(thing)]])));
}

/** The jobs and keys with contradictory answers. Each is checked on its own, because linearizability is local. */
export function contradictions(history: readonly Seen[]): {
  readonly objects: number;
  readonly found: readonly string[];
} {
  const objects = new Map<string, Seen[]>();
  for (const seen of history)
    for (const thing of thingsOf(seen).filter((name) => /^(job|key) /.test(name))) {
      const about = objects.get(thing) ?? [];
      about.push(seen);
      objects.set(thing, about);
    }
  const startOf = (thing: string): State => (kindOf(thing) === 'key' ? { json: null } : {});
  const found = [...objects].filter(([thing, about]) => !haveOneOrder(about, { [thing]: startOf(thing) }));
  return { objects: objects.size, found: found.map(([thing]) => thing) };
}
