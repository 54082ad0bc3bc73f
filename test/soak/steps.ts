import { ask } from '../faults/history.ts';
import { inSandbox, job, oneOf, post, sendOne } from '../faults/traffic.ts';
import { hostileBodies } from '../sanitizer/hostile-bodies.ts';
import type { Company } from './companies.ts';

/** One action of a client. Resolves with the unexpected result, if there is one. */
type Step = (origin: string, company: Company) => Promise<string | undefined>;

const statusOf = async (origin: string, token: string, question: Parameters<typeof ask>[2]) =>
  (await ask(origin, token, question))?.status ?? 0;

async function sendHostile(origin: string, { production }: Company): Promise<string | undefined> {
  const body = { ...job, body: oneOf(Object.values(hostileBodies)) };
  const status = await statusOf(origin, production.secret, post(body));
  return [201, 422].includes(status) ? undefined : `${status} for a hostile body`;
}

async function loseResponse(origin: string, { sandbox }: Company): Promise<string | undefined> {
  const { headers, ...question } = inSandbox();
  const lost = { ...question, headers: { ...headers, 'X-Simulate': 'lost-response' } };
  return (await statusOf(origin, sandbox.secret, lost)) === 0 ? undefined : 'a lost response arrived';
}

/** Leaves within some milliseconds, often before the answer. */
async function abort(origin: string, { production }: Company): Promise<undefined> {
  const path = oneOf(['/v1/jobs?per_page=100', '/v1/jobs/1', '/v1/categories']);
  const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 15));
  const sent = fetch(origin + path, { headers: { Authorization: `Bearer ${production.secret}` }, signal });
  await sent.then((answer) => answer.arrayBuffer()).catch(() => undefined);
}

const pages = ['', '/credentials', '/jobs', '/requests?environment=production', '/activity'];
const jobPages = ({ created }: Company) => created.map(({ id }) => `/jobs/production/${id}`);
const open =
  (pathsOf: (company: Company) => readonly string[]): Step =>
  async (origin, company) => {
    const path = oneOf([...pathsOf(company), '']);
    const headers = { Cookie: company.cookie };
    const answer = await fetch(`${origin}/dashboard${path}`, { headers, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status === 200 ? undefined : `page ${path}: ${answer.status}`;
  };

/** Shares of a thousand steps. The remaining steps are requests that every client sends; their times are measured. */
const untimed: readonly (readonly [share: number, name: string, step: Step])[] = [
  [10, 'hostile body', sendHostile],
  [10, 'lost response', loseResponse],
  [40, 'aborted', abort],
  [35, 'page', open(() => pages)],
  [20, 'page of a job', open(jobPages)],
  [5, 'sign-in', (_origin, company) => company.signIn()],
];
const thousand = [
  ...untimed.flatMap(([share, name, step]) => Array(share).fill({ name, step })),
  ...Array(880).fill(undefined),
] as readonly ({ readonly name: string; readonly step: Step } | undefined)[];

export interface Done {
  readonly name: string;
  readonly ms: number;
  /** Whether p50 and p99 include it. */
  readonly timed: boolean;
  /** The unexpected result. */
  readonly wrong: string | undefined;
}

/** Runs one random step. */
export async function doStep(origin: string, company: Company): Promise<Done> {
  const drawn = oneOf(thousand);
  const started = performance.now();
  const done = drawn ? drawn.step(origin, company).then((wrong) => ({ name: drawn.name, wrong })) : sendOne(company);
  const { name, wrong } = await done.catch((error: unknown) => ({
    name: drawn?.name ?? 'request',
    wrong: String(error),
  }));
  return { name, ms: performance.now() - started, timed: !drawn, wrong: wrong && `${name}: ${wrong.slice(0, 300)}` };
}
