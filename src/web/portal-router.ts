import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { confirmPassword } from '../auth/sign-in.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { asWork, requestContextOf } from '../server/request-context.ts';
import { accountRoutes } from './account-page.tsx';
import { errorPage, unknownPage } from './error-page.tsx';
import { Form, parseForm, refuseNul } from './form.ts';
import type { PageContext, PageDeps, Person, PortalPages, Route } from './page.ts';
import { loadSession, requireCsrfToken } from './page-session.ts';
import { queryOf } from './params.ts';
import { refuseCrossSiteForms, requireSecureClient, securityHeaders } from './security.ts';
import { loadLanguage, localsOf, pageSender, sessionOf, tOf } from './send-page.tsx';
import { leadToNewSignIn, requireSignIn, showSignIn, submitSignIn } from './sign-in-page.tsx';

/** Concurrent pages per company, each with one connection at a time: all companies share a few for pages. */
const concurrentPagesMax = 2;

/** All pages of a portal, to be mounted at its base. Refusals are pages too. */
export function portalRouter<P extends Person>(pages: PortalPages<P>, deps: PageDeps): Router {
  const sendPage = pageSender(pages, deps.timeZone);
  const router = express.Router({ caseSensitive: true });
  router.use(loadLanguage, securityHeaders, requireSecureClient(deps), refuseCrossSiteForms, parseForm, refuseNul);
  router.use(...loadSession(pages.portal, deps), loadPerson(pages, deps));
  router.get('/sign-in', showSignIn(pages.portal, sendPage));
  router.post('/sign-in', leadToNewSignIn(pages.portal), requireCsrfToken, submitSignIn(pages.portal, deps, sendPage));

  const limit = new ConcurrencyLimit<bigint>({ maxPerKey: concurrentPagesMax });
  const handle = ({ handler }: Route<P>): RequestHandler =>
    asWork(async (request, response) => {
      const session = sessionOf(response);
      const { person } = localsOf<P>(response);
      if (!person) throw new Error('requireSignIn has not run');
      const companyId = pages.companyOf?.(person);
      if (companyId !== undefined) await limit.enter(companyId, requestContextOf(response).lifetime);
      const { pages: db } =
        companyId === undefined ? { pages: deps.db } : await deps.services.database.connectionsFor(companyId);
      const answer = await handler({ ...contextOf(pages, deps, request, response, person), db });
      if (answer.kind === 'page') return sendPage(request, response, answer);
      if (answer.notice !== undefined) await session.leaveNotice(answer.notice);
      response.redirect(303, answer.to);
    });
  const routes = [...accountRoutes, ...pages.routes];
  for (const route of routes)
    router[route.method](route.path, requireSignIn(pages.portal, route, routes), requireCsrfToken, handle(route));

  return router.use(unknownPage, errorPage(pages.portal, deps.log, sendPage));
}

/** A session ends for its person when the account is gone or its password has changed. */
const loadPerson =
  <P extends Person>({ findPerson }: PortalPages<P>, { db }: PageDeps): RequestHandler =>
  async (_request, response, next) => {
    const locals = localsOf<P>(response);
    const personId = locals.session?.personId;
    const person = personId === undefined ? undefined : await findPerson(db, personId);
    if (person && locals.session?.isOpenedBy(person.passwordMark)) locals.person = person;
    next();
  };

function contextOf<P extends Person>(
  { portal }: PortalPages<P>,
  { db, services, signInLimits, clock, timeZone }: PageDeps,
  request: Request,
  response: Response,
  person: P,
): PageContext<P> {
  const { publicUrl } = services;
  return {
    db,
    ...requestTimeAt(clock(), timeZone),
    actor: person.actor,
    portal,
    person,
    session: sessionOf(response),
    t: tOf(response),
    origin: publicUrl || `${request.protocol}://${request.get('host') ?? 'localhost'}`,
    // Express types a parameter as a list too; only wildcard patterns have lists.
    params: request.params as Record<string, string>,
    query: queryOf(request),
    form: new Form(request),
    checkPassword: (password) => confirmPassword(db, signInLimits, { portal, personId: person.id, password }),
  };
}
