import type { Portal } from '../../src/domain/actor.ts';
import { decisions } from '../../src/operations/jobs/transitions.ts';
import type { Declaration } from '../../src/operations/kit/declare.ts';
import { fieldsOf } from '../../src/operations/kit/fields.ts';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { portals } from '../../src/web/portals.ts';
import { newWork, rightOf, textsOf } from '../helper/declared-inputs.ts';
import { actionContext, db, newJob, TestCompany } from '../helper/fixtures.ts';
import {
  accountAt,
  has,
  newAdministrator,
  newSubject,
  newUser,
  type Page,
  PageClient,
  password,
  tokenIn,
} from '../helper/page-client.ts';

/** What somebody is about to click twice. */
export interface Work {
  readonly client: PageClient;
  /** As in the audit trail. */
  readonly actor: string;
  readonly page: string;
  readonly button: string;
  readonly form?: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly companyId?: bigint;
  /** The entries of the audit trail that it is to leave: the action and the company of each. */
  readonly records: readonly string[];
}

export interface Clicked {
  readonly title: string;
  readonly begin: () => Promise<Work>;
}

interface FormRoute {
  readonly portal: Portal;
  readonly path: string;
  readonly operation: Declaration;
}

const formRoutes: readonly FormRoute[] = [
  ...dashboardPages.routes.map(({ path, operation }) => ({ portal: 'company' as const, path, operation })),
  ...adminPages.routes.map(({ path, operation }) => ({ portal: 'administrator' as const, path, operation })),
].flatMap(({ operation, ...route }) => (operation ? [{ ...route, operation }] : []));

/** The forms whose answer is shown once: these ask for the person's own password. */
export async function secretForms(): Promise<Clicked[]> {
  const { acme, fill } = await newSubject();
  const clients = {
    company: await PageClient.signedIn('company', await newUser(acme)),
    administrator: await PageClient.signedIn('administrator', await newAdministrator()),
  };
  const found: FormRoute[] = [];
  for (const route of formRoutes)
    if (has(await clients[route.portal].get(fill(route.path)), '[name=currentPassword]')) found.push(route);
  return found.map((route) => ({ title: titleOf(route), begin: () => onItsPage(route) }));
}

/** Every form of a decision on a job: on a page of its own, and on the job's page, which has it too, or a link to it. */
export const decisionForms = (): Clicked[] =>
  formRoutes
    .filter(({ operation: { records = '' } }) =>
      Object.keys(decisions).some((decision) => /^job\b/.test(records) && records.endsWith(decision)),
    )
    .flatMap((route) => [
      { title: titleOf(route), begin: () => onItsPage(route) },
      { title: `${titleOf(route)}, on the job's page`, begin: () => onPageOfJob(route) },
    ]);

const titleOf = ({ portal, operation }: FormRoute): string => `${portal}, ${operation.command}`;

const formAt = (action: string) => {
  const form = `main form:is([action="${action}"], [action^="${action}?"])`;
  return { form, button: `${form} button[type=submit]:not([name])` };
};

async function onItsPage(route: FormRoute): Promise<Work> {
  const { action, ...work } = await newFormWork(route);
  return { ...work, page: action, ...formAt(action) };
}

async function onPageOfJob(route: FormRoute): Promise<Work> {
  const { action, pass, ...work } = await newFormWork(route);
  const job = action.replace(/[/][^/]+$/, '');
  const page = route.portal === 'company' ? job : `${job}?${pass}`;
  const found = formAt(action);
  if (has(await work.client.get(page), found.form)) return { ...work, page, ...found };
  return { ...work, page, button: `main a[href="${action}"]`, records: [] };
}

let titles = 0;

/** A title that no other job has, and the queue with such jobs only. */
function newPass() {
  const text = `Vaga ${process.pid}x${++titles}`;
  return { text, pass: String(new URLSearchParams({ text })) };
}

async function signedIn(portal: Portal, email: string) {
  const client = await PageClient.signedIn(portal, email);
  const id = (await accountAt(portal, email))?.id ?? 0n;
  return { client, id, actor: `${portal === 'company' ? 'user' : portal}:${id}` };
}

/** Work for a form, and the form's address. After a job in the administration, another one waits in its pass. */
async function newFormWork({ portal, path, operation }: FormRoute) {
  const reviewer = portal === 'company' ? undefined : await signedIn(portal, await newAdministrator());
  const isOwn = reviewer && operation.records === 'job.review_undone';
  const ctx = isOwn ? () => actionContext({ kind: 'administrator', id: reviewer.id }) : actionContext;
  const { companyId, input } = await newWork(operation, ctx);
  const { client, actor } = reviewer ?? (await signedIn(portal, await newUser(new TestCompany(companyId))));
  const filled = path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(String(input[name] ?? input[`${name}Id`] ?? companyId)),
  );
  const { text, pass } = newPass();
  if (reviewer && 'jobId' in input) {
    await db().job.updateMany({ where: { companyId }, data: { title: `${text} A` } });
    await newJob('production', { title: `${text} B` });
  }
  const usual = fieldsOf(operation.input).map((field) => [field.name, rightOf(field)[1]]);
  return {
    client,
    actor,
    pass,
    companyId,
    action: portals[portal].base + filled,
    typed: { ...Object.fromEntries(usual), ...textsOf(input), currentPassword: password },
    records: [`${operation.records} ${'companyId' in input ? companyId : null}`],
  };
}

/** A reviewer of two jobs, and the queue with these only. */
async function newQueue() {
  const { client, actor } = await signedIn('administrator', await newAdministrator());
  const { text, pass } = newPass();
  const jobs = [await newJob('production', { title: `${text} A` }), await newJob('production', { title: `${text} B` })];
  const [first = '', second = ''] = jobs.map(({ adminPath }) => `/admin${adminPath}`);
  const companies = jobs.map(({ acme }) => acme.id);
  const work = { client, actor, typed: { reason: 'Falta o salário.' }, records: [] as string[] };
  return { work, pass, page: `/admin/review?${pass}&select=all`, first, second, companies };
}

const ofList = (verb: 'approve' | 'deny', action: string) => async () => {
  const { work, page, companies } = await newQueue();
  const button = `[name=do][value=${verb}]`;
  // An approval has no reason.
  const typed = verb === 'deny' ? work.typed : {};
  return {
    ...work,
    typed,
    page,
    form: '#selected',
    button,
    records: companies.map((company) => `${action} ${company}`),
  };
};

function expectDone({ status, document }: Page): void {
  if (status !== 303) throw new Error(`the page before was answered with ${status}: ${document.body.textContent}`);
}

const undo = { form: '.notice form', button: '.notice [type=submit]' };

async function undoOfList(): Promise<Work> {
  const { work, page, companies } = await newQueue();
  const list = await work.client.get(page);
  const jobs = [...list.document.querySelectorAll<HTMLInputElement>('[name=jobs]')].map(({ value }) => ['jobs', value]);
  const sent = [['_csrf', tokenIn(list)], ['do', 'approve'], ...jobs];
  expectDone(await work.client.postRaw(page, String(new URLSearchParams(sent))));
  return { ...work, page, ...undo, records: companies.map((company) => `job.review_undone ${company}`) };
}

async function undoOnNextJob(): Promise<Work> {
  const { work, pass, first, second, companies } = await newQueue();
  expectDone(await work.client.submit(await work.client.get(`${first}?${pass}`), `${first}/approve`));
  return { ...work, page: `${second}?${pass}`, ...undo, records: [`job.review_undone ${companies[0]}`] };
}

/** What else decides in the review queue: its list, the notice after a decision, and links that lead to a decision. */
export const queueDecisions: readonly Clicked[] = [
  { title: 'the list, approve', begin: ofList('approve', 'job.approved') },
  { title: 'the list, deny', begin: ofList('deny', 'job.denied') },
  { title: 'the list, undo', begin: undoOfList },
  { title: 'the next job, undo', begin: undoOnNextJob },
  {
    title: 'the link to the first job',
    begin: async () => {
      const { work, page } = await newQueue();
      return { ...work, page, button: 'a[accesskey=n]' };
    },
  },
  {
    title: 'the link that skips a job',
    begin: async () => {
      const { work, pass, first } = await newQueue();
      return { ...work, page: `${first}?${pass}`, button: 'a[accesskey=s]' };
    },
  },
];
