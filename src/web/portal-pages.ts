import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { confirmPassword } from '../auth/sign-in.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { ConcurrencyLimit } from '../rate-limit/concurrency-limit.ts';
import { closed } from '../server/answer.ts';
import { accountRoutes } from './account.tsx';
import { errorPage, unknownPage } from './error-page.tsx';
import { formOf, readForm } from './form.ts';
import { frameOf, localsOf } from './frame-of.ts';
import { admitVisitor, refuseForeignForms, refuseNul, securityHeaders } from './guard.ts';
import type { PageAnswer, PageContext, Person, PortalPages, Route } from './page.ts';
import type { PageDeps } from './page-deps.ts';
import { type PageSession, requireCsrfToken, sessionsOf } from './page-session.ts';
import { searchOf } from './params.ts';
import { portals } from './portals.ts';
import { sendPage } from './render.tsx';
import { signInPages } from './sign-in.tsx';

/** Pages of one company that are made at the same time: the connections for pages are few, and shared by all companies. */
const pagesAtOnceMax = 2;

/**
 * All pages of a portal, to be mounted at its base: https, address limit, session, token of the form, sign-in, then the page itself.
 * What is refused on the way is a page too.
 */
export function portalPages<P extends Person>(pages: PortalPages<P>, deps: PageDeps): Router {
  const router = express.Router({ caseSensitive: true });
  const sessions = sessionsOf(pages.portal, deps);
  const startVisit: RequestHandler = async (request, response, next) => {
    const session = sessions.visitOf(request);
    const locals = localsOf<P>(response);
    locals.session = session;
    const person =
      session.personId === undefined ? undefined : await pages.findPerson(deps.services.db, session.personId);
    if (person && session.isOpenedBy(person.passwordMark)) locals.person = person;
    next();
  };
  router.use(securityHeaders, admitVisitor(deps), refuseForeignForms, readForm, refuseNul, sessions.load, startVisit);
  router.use(requireCsrfToken);
  const signIn = signInPages(pages, deps);
  router.get('/sign-in', signIn.get);
  router.post('/sign-in', signIn.post);
  const limit = new ConcurrencyLimit(pagesAtOnceMax);
  for (const route of [...accountRoutes, ...pages.routes])
    router[route.method](route.path, runner(pages, deps, limit, route));
  router.use(unknownPage, errorPage(pages, deps.timeZone, deps.log));
  return router;
}

function runner<P extends Person>(
  pages: PortalPages<P>,
  deps: PageDeps,
  limit: ConcurrencyLimit,
  route: Route<P>,
): RequestHandler {
  return async (request, response) => {
    const { session, person } = localsOf<P>(response);
    if (!session || !person) {
      response.redirect(303, signInAddress(pages, request));
      return;
    }
    if (pages.companyOf) await limit.enter(pages.companyOf(person), closed(response));
    const answer = await route.run(contextOf(pages, deps, request, person, session));
    await send(pages, deps, request, response, answer);
  };
}

/** A page that was asked for is shown after signing in; a form is not sent again. */
function signInAddress<P extends Person>({ portal }: PortalPages<P>, { method, originalUrl }: Request): string {
  const { base } = portals[portal];
  const wanted = method === 'GET' && originalUrl !== base ? `?next=${encodeURIComponent(originalUrl)}` : '';
  return `${base}/sign-in${wanted}`;
}

function contextOf<P extends Person>(
  { portal }: PortalPages<P>,
  deps: PageDeps,
  request: Request,
  person: P,
  session: PageSession,
): PageContext<P> {
  const { services, signInLimits, clock, timeZone } = deps;
  const { db, publicUrl } = services;
  return {
    db,
    ...requestTimeAt(clock(), timeZone),
    actor: person.actor,
    portal: portal,
    person,
    session: session,
    timeZone,
    origin: publicUrl || `${request.protocol}://${request.get('host') ?? 'localhost'}`,
    // Express' type allows lists, which only patterns with wildcards have.
    params: request.params as Record<string, string>,
    query: searchOf(request),
    form: formOf(request),
    checkPassword: (password) => confirmPassword(db, signInLimits, { portal: portal, personId: person.id, password }),
  };
}

async function send<P extends Person>(
  pages: PortalPages<P>,
  { timeZone }: PageDeps,
  request: Request,
  response: Response,
  answer: PageAnswer,
): Promise<void> {
  if (answer.kind === 'page') {
    const frame = frameOf(pages, request, response, timeZone);
    sendPage(response, answer.status, answer.title, answer.content, frame);
    return;
  }
  if (answer.notice !== undefined) await localsOf(response).session?.leaveNotice(answer.notice);
  response.redirect(303, answer.to);
}
