import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import helmet from 'helmet';
import { checkClient } from '../auth/authenticate-request.ts';
import { loadSession, PageSession } from '../auth/page-session.ts';
import { confirmPassword, linkEnded, openLink } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import { requestTimeAt } from '../domain/dates.ts';
import { forbidden } from '../domain/errors.ts';
import type { DataFile } from '../operations/kit/declare.ts';
import { sendPieces } from '../server/answer.ts';
import { clientInfoOf } from '../server/client-info.ts';
import { requestContextOf } from '../server/request-context.ts';
import { accountRoutes, setPassword, showSetPassword } from './account-page.tsx';
import { adminPages } from './admin/admin.ts';
import { assetsBase, serveAssets } from './assets.ts';
import { dashboardPages } from './dashboard/dashboard.ts';
import { errorPage, unknownPage } from './error-page.tsx';
import { Form, longFormOf, parseForm, refuseNul } from './form.ts';
import { countForm } from './form-limit.tsx';
import { formAgain, keepForm } from './kept-form.ts';
import { sendPage } from './layout.tsx';
import { readLongForm } from './long-form.ts';
import {
  beginPage,
  isForm,
  type PageAnswer,
  type PageContext,
  type PageDeps,
  type Person,
  type PortalPages,
  pageRequestOf,
  type Route,
  requireCsrfToken,
  returnToPage,
  sessionOf,
  switchLanguage,
} from './page.ts';
import { pagePolicy } from './policies.ts';
import { portals } from './portals.ts';
import { prefersHtml } from './reference/reference.ts';
import { showSignIn, signInPath, submitSignIn } from './sign-in-page.tsx';

/** Serves both portals, each at its base, and the routes that they share. */
export function pages(deps: PageDeps): Router {
  const router = express.Router({ caseSensitive: true });
  router.use(assetsBase, serveAssets);
  router.post('/language', begin('company', deps), parseForm, switchLanguage, returnToPage);
  router.use(portals.company.base, portalRouter(dashboardPages, deps));
  router.use(portals.administrator.base, portalRouter(adminPages, deps));
  return router.use(unknownAddress(deps));
}

/** The first steps of every request, before its page is known. */
const begin = (portal: Portal, deps: PageDeps): RequestHandler[] => [
  beginPage(portal, deps),
  securityHeaders,
  requireSecureClient(deps),
  refuseCrossSiteForms,
];

const headers = helmet({
  contentSecurityPolicy: false,
  // The outermost layer sets this header for every answer over https.
  strictTransportSecurity: false,
  // The address of a password link is a secret.
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
});

const securityHeaders: RequestHandler = (request, response, next) => {
  response.set('Content-Security-Policy', pagePolicy);
  headers(request, response, next);
};

/** Applies the API's https rule and address limit to pages. Throws 400 `https` and 429 `address`. */
const requireSecureClient =
  ({ auth, listener }: PageDeps): RequestHandler =>
  async (request, _response, next) => {
    await checkClient(auth, clientInfoOf(request, 'production', listener));
    next();
  };

/** Refuses a form before its body is read, if the browser says that it comes from another site. */
const refuseCrossSiteForms: RequestHandler = (request, response, next) => {
  const site = request.headers['sec-fetch-site'];
  if (isForm(request) && site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('permission', pageRequestOf(response).t('This form was sent from another site.'));
  next();
};

/** Serves all pages of a portal. Refusals are pages too. */
function portalRouter<P extends Person>(pages: PortalPages<P>, deps: PageDeps): Router {
  const { portal } = pages;
  const router = express.Router({ caseSensitive: true });
  router.use(begin(portal, deps));
  const findSender = [loadSession(portal, portals[portal], deps), loadPerson(pages, deps)];
  for (const { path, stored } of pages.routes)
    if (stored) router.post(path, readLongForm(longFormOf(stored), findSender, deps.formRoom));
  router.use(parseForm, refuseNul, switchLanguage, findSender);
  router.get('/sign-in', showSignIn);
  const signIn = [requireCsrfToken, submitSignIn(deps), loadPerson(pages, deps)];
  router.post('/sign-in', signIn);

  const signedIn: PersonOf<P> = async (_request, response, hasWaited) => {
    const page = pageRequestOf<P>(response);
    if (hasWaited) page.person = await personStillIn(sessionOf(response), pages, deps);
    return page.person;
  };
  const handle = (route: Handled<P>, personOf = signedIn): RequestHandler => handlePage(route, personOf, pages, deps);
  const linked = linkedPerson(pages, deps);
  router.get('/set-password', handle({ handler: showSetPassword }, linked));
  router.post('/set-password', requireCsrfToken, handle({ handler: setPassword, again: showSetPassword }, linked));
  const routes = [...accountRoutes, ...pages.routes];
  const kept = keepForm(signIn);
  const count = countForm(deps);
  for (const route of routes) {
    const { method, path, isUncounted = method === 'get' } = route;
    const begun = route.again ? kept : [requireSignIn, requireCsrfToken];
    router[method](path, begun, isUncounted ? [] : count, handle(route));
  }
  // After signing in, a browser may GET an address that only accepts a form. The form's page is one level up.
  for (const { path } of routes)
    router.get(path, ({ baseUrl, path: at }, response) => response.redirect(303, baseUrl + at.replace(/\/[^/]*$/, '')));

  return router.use(unknownPage, errorPage(deps.log));
}

type Handled<P extends Person> = Pick<Route<P>, 'handler' | 'again'>;

/** Finds the person who opens a page. Called again with `hasWaited` if the request had to wait in the company's queue. */
type PersonOf<P extends Person> = (request: Request, response: Response, hasWaited: boolean) => Promise<P | undefined>;

/** Answers a request for a page. A company's page takes one of its queue places for pages, which API requests never use. */
const handlePage =
  <P extends Person>(
    route: Handled<P>,
    personOf: PersonOf<P>,
    { portal }: PortalPages<P>,
    deps: PageDeps,
  ): RequestHandler =>
  async (request, response) => {
    const answer = async (person: P): Promise<DataFile | undefined> => {
      const ctx = await pageContext(deps, portal, person, request, response);
      const made = (await formAgain(route, ctx, response)) ?? (await route.handler(ctx));
      if (made.kind === 'file') return made;
      await sendAnswer(response, made);
    };
    const person = await personOf(request, response, false);
    if (!person) throw new Error('requireSignIn has not run');
    const inPlace = <T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> =>
      'company' in person
        ? deps.queue.run(person.company.id, 'page', requestContextOf(response).lifetime, work)
        : work(false);
    const file = await inPlace(async (hasWaited) => {
      const current = hasWaited ? await personOf(request, response, hasWaited) : person;
      if (current) return answer(current);
      response.redirect(303, signInPath(portal, pageRequestOf(response).address));
      return undefined;
    });
    if (!file) return;
    const companyId = 'company' in person ? person.company.id : undefined;
    const { lifetime } = requestContextOf(response);
    if (request.method !== 'HEAD') await deps.unread.holdFile(`${portal} ${person.id}`, companyId, lifetime);
    await sendFile(response, file, inPlace);
  };

/** Sends a file. Each row is made in a place of the company's queue; the place is free again while the client receives the row. */
async function sendFile(
  response: Response,
  { name, type, lines }: DataFile,
  inPlace: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  response.attachment(name).type(type);
  if (response.req.method === 'HEAD') return void response.end();
  const reader = lines[Symbol.asyncIterator]();
  const pieces = async function* () {
    for (let read = await inPlace(() => reader.next()); !read.done; read = await inPlace(() => reader.next()))
      yield typeof read.value === 'string' ? read.value : `${JSON.stringify(read.value)}\n`;
  };
  await sendPieces(response, pieces());
}

/** Makes the context of a page's handler. A company's pages query the database that has the company's rows. */
const pageContext = async <P extends Person>(
  { db, services, signInLimits, clock, timeZone }: PageDeps,
  portal: Portal,
  person: P,
  request: Request,
  response: Response,
): Promise<PageContext<P>> => ({
  ...pageRequestOf<P>(response),
  ...requestTimeAt(clock(), timeZone),
  db: 'company' in person ? (await services.database.connectionsFor(person.company.id)).pages : db,
  sanitizer: services.sanitizer,
  actor: person.actor,
  person,
  session: sessionOf(response),
  origin: services.publicUrl || `${request.protocol}://${request.get('host') ?? 'localhost'}`,
  // Express types a parameter as a list too; only wildcard patterns have lists.
  params: request.params as Record<string, string>,
  form: new Form(request),
  checkPassword: (password) => confirmPassword(db, signInLimits, { portal, personId: person.id, password }),
});

async function sendAnswer(response: Response, answer: Exclude<PageAnswer, { kind: 'file' }>): Promise<void> {
  if (answer.kind === 'page' && answer.status === 422) requestContextOf(response).refused = { code: 'invalid_input' };
  if (answer.kind === 'page') return sendPage(response, answer);
  if (answer.kind === 'html') return void response.type('html').send(answer.html);
  if (answer.notice !== undefined) await sessionOf(response).leaveNotice(answer.notice, answer.undo);
  response.redirect(303, answer.to);
}

/** Redirects a visitor who is not signed in to the sign-in page. After signing in, the requested page opens. */
const requireSignIn: RequestHandler = (_request, response, next) => {
  const { portal, person, address } = pageRequestOf(response);
  if (person) return next();
  response.redirect(303, signInPath(portal, address));
};

/**
 * Loads the person of the session. Ignores the session if the account is gone or its password has changed. Called again after a long form
 * has arrived: the session may have ended meanwhile.
 */
const loadPerson =
  <P extends Person>(pages: PortalPages<P>, deps: PageDeps): RequestHandler =>
  async (request, response, next) => {
    const page = pageRequestOf<P>(response);
    const find = page.session ? personStillIn : personIn;
    const session = new PageSession(request, response, pages.portal, portals[pages.portal], deps);
    page.session = session;
    const { maintenance } = deps.auth;
    // The form that left the notice may have switched the maintenance mode, so it is read afresh instead of from the cache.
    page.maintenance = session.hasNotice ? await maintenance.current() : await maintenance.known(page.now);
    page.person = await find(session, pages, deps);
    next();
  };

async function personIn<P extends Person>(
  session: PageSession,
  { findPerson }: PortalPages<P>,
  { db }: PageDeps,
): Promise<P | undefined> {
  const person = session.personId === undefined ? undefined : await findPerson(db, session.personId);
  return person && session.isOpenedBy(person.passwordMark) ? person : undefined;
}

/** Like `personIn`, but also undefined if the session has ended since it was loaded. */
const personStillIn = async <P extends Person>(
  session: PageSession,
  pages: PortalPages<P>,
  deps: PageDeps,
): Promise<P | undefined> => ((await session.isOpen(deps.clock())) ? personIn(session, pages, deps) : undefined);

/** Finds the person of a password link, and ignores who is signed in. Throws `link_ended`. */
const linkedPerson =
  <P extends Person>({ portal, findPerson }: PortalPages<P>, { db, clock }: PageDeps) =>
  async (_request: Request, response: Response): Promise<P> => {
    const page = pageRequestOf<P>(response);
    page.person = undefined;
    const person = await findPerson(db, await openLink(db, portal, page.query.get('link') ?? '', clock()));
    if (!person) throw linkEnded();
    return person;
  };

/** Paths that only programs use. Their errors are never pages, whatever the Accept header says. */
const forPrograms = /^\/(\.well-known|mcp|sandbox)\//;

/** Answers an unknown address: browsers get a page, API clients the error envelope. */
function unknownAddress(deps: PageDeps): Router {
  const router = express.Router();
  router.use((request, response, next) =>
    next(!forPrograms.test(request.path) && prefersHtml(request, response) ? undefined : 'router'),
  );
  router.use(begin('company', deps), unknownPage);
  return router.use(errorPage(deps.log));
}
