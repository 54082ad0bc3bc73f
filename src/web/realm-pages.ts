import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { momentAt } from '../domain/moment.ts';
import { ConcurrencyLimit } from '../gate/concurrency-limit.ts';
import { confirmPassword } from '../gate/sign-in.ts';
import { closed } from '../http/answer.ts';
import { accountRoutes } from './account.tsx';
import { errorPage, unknownPage } from './error-page.tsx';
import { formOf, readForm } from './form.ts';
import { frameOf, localsOf } from './frame-of.ts';
import { admitVisitor, refuseForeignForms, refuseNul, securityHeaders } from './guard.ts';
import type { PageAnswer, PageContext, Person, RealmPages, Route } from './page.ts';
import type { PageDoor } from './page-door.ts';
import { searchOf } from './params.ts';
import { realms } from './realms.ts';
import { sendPage } from './render.tsx';
import { signInPages } from './sign-in.tsx';
import { requireCsrfToken, sessionsOf, type Visit } from './visit.ts';

/** Pages of one company that are made at the same time: the connections for pages are few, and shared by all companies. */
const pagesAtOnceMax = 2;

/**
 * All pages of a realm, to be mounted at its base: https, address limit, session, token of the form, sign-in, then the page itself.
 * What is refused on the way is a page too.
 */
export function realmPages<P extends Person>(pages: RealmPages<P>, door: PageDoor): Router {
  const router = express.Router({ caseSensitive: true });
  const sessions = sessionsOf(pages.realm, door);
  const startVisit: RequestHandler = async (request, response, next) => {
    const visit = sessions.visitOf(request);
    const locals = localsOf<P>(response);
    locals.visit = visit;
    const person = visit.personId === undefined ? undefined : await pages.findPerson(door.services.db, visit.personId);
    if (person && visit.isOpenedBy(person.passwordMark)) locals.person = person;
    next();
  };
  router.use(securityHeaders, admitVisitor(door), refuseForeignForms, readForm, refuseNul, sessions.load, startVisit);
  router.use(requireCsrfToken);
  const signIn = signInPages(pages, door);
  router.get('/sign-in', signIn.get);
  router.post('/sign-in', signIn.post);
  const limit = new ConcurrencyLimit(pagesAtOnceMax);
  for (const route of [...accountRoutes, ...pages.routes])
    router[route.method](route.path, runner(pages, door, limit, route));
  router.use(unknownPage, errorPage(pages, door.timeZone, door.log));
  return router;
}

function runner<P extends Person>(
  pages: RealmPages<P>,
  door: PageDoor,
  limit: ConcurrencyLimit,
  route: Route<P>,
): RequestHandler {
  return async (request, response) => {
    const { visit, person } = localsOf<P>(response);
    if (!visit || !person) {
      response.redirect(303, signInAddress(pages, request));
      return;
    }
    if (pages.companyOf) await limit.enter(pages.companyOf(person), closed(response));
    const answer = await route.run(contextOf(pages, door, request, person, visit));
    await send(pages, door, request, response, answer);
  };
}

/** A page that was asked for is shown after signing in; a form is not sent again. */
function signInAddress<P extends Person>({ realm }: RealmPages<P>, { method, originalUrl }: Request): string {
  const { base } = realms[realm];
  const wanted = method === 'GET' && originalUrl !== base ? `?next=${encodeURIComponent(originalUrl)}` : '';
  return `${base}/sign-in${wanted}`;
}

function contextOf<P extends Person>(
  { realm }: RealmPages<P>,
  door: PageDoor,
  request: Request,
  person: P,
  visit: Visit,
): PageContext<P> {
  const { services, signInLimits, clock, timeZone } = door;
  const { db, publicUrl } = services;
  return {
    db,
    ...momentAt(clock(), timeZone),
    actor: person.actor,
    realm,
    person,
    visit,
    timeZone,
    origin: publicUrl || `${request.protocol}://${request.get('host') ?? 'localhost'}`,
    // Express' type allows lists, which only patterns with wildcards have.
    params: request.params as Record<string, string>,
    query: searchOf(request),
    form: formOf(request),
    checkPassword: (password) => confirmPassword(db, signInLimits, { realm, personId: person.id, password }),
  };
}

async function send<P extends Person>(
  pages: RealmPages<P>,
  { timeZone }: PageDoor,
  request: Request,
  response: Response,
  answer: PageAnswer,
): Promise<void> {
  if (answer.kind === 'page') {
    const frame = frameOf(pages, request, response, timeZone);
    sendPage(response, answer.status, answer.title, answer.content, frame);
    return;
  }
  if (answer.notice !== undefined) await localsOf(response).visit?.leaveNotice(answer.notice);
  response.redirect(303, answer.to);
}
