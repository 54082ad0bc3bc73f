import { type Request, type RequestHandler, type Response, Router } from 'express';
import { Form, refuseNul, replaceForm } from './form.ts';
import { isOutdated, type PageAnswer, type PageContext, type Person, pageRequestOf, type Route } from './page.ts';
import { portals } from './portals.ts';
import { askToSignIn, signInPath } from './sign-in-page.tsx';

// If a session ends while a form is filled in, a sign-in form at the same address carries the typed values in a hidden field. After
// sign-in the typed form is shown again, and changes nothing until it is sent again.

/** The handlers before a form that can be shown again. After a successful sign-in, `signIn` calls `next()`, and the typed form is shown. */
export const keepForm = (signIn: readonly RequestHandler[]): RequestHandler[] => [
  Router().use(onlyCarrying, ...signIn),
  restoreForm,
  admitOutdated,
];

/** Skips the sign-in handlers, unless the request is a sign-in that carries a form. */
const onlyCarrying: RequestHandler = (request, response, next) =>
  next(!pageRequestOf(response).person && new Form(request).has('typed') ? undefined : 'router');

const restoreForm: RequestHandler = (request, response, next) => {
  const { portal, person, address } = pageRequestOf(response);
  const form = new Form(request);
  const typed = form.typed();
  if (!person && typed && isFromOurPage(request, portals[portal].cookie)) return askToSignIn(response, typed);
  if (!person) return response.redirect(303, signInPath(portal, address));
  // The sign-in form and the page of the form limit send `typed`. Only the page of the form limit has this session's token.
  if (form.has('typed')) {
    response.locals.isReturned = !isOutdated(request, response);
    replaceForm(request, form.text('typed'));
  }
  refuseNul(request, response, next);
};

/** Whether the browser says that our page sent the form, or sends our cookie, which SameSite keeps out of other sites' forms. */
const isFromOurPage = ({ headers }: Request, cookie: string): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || headers.cookie?.includes(`${cookie}=`) === true;

/** Notes whether the form lacks this session's token. Such a form is not refused: `formAgain` shows it again. */
const admitOutdated: RequestHandler = (request, response, next) => {
  response.locals.isOutdated = isOutdated(request, response);
  next();
};

/**
 * Shows the form again as typed, if its session has ended, the form limit was reached, or the language was switched. Returns undefined if
 * the form should be carried out.
 */
export async function formAgain<P extends Person>(
  { again }: Pick<Route<P>, 'again'>,
  ctx: PageContext<P>,
  { locals }: Response,
): Promise<PageAnswer | undefined> {
  if (!again || !(locals.isOutdated || ctx.form.has('language'))) return undefined;
  if (!locals.isOutdated || locals.isReturned) return again(ctx, {});
  const made = await again(ctx, {
    '': ctx.t('You are signed in again and your entries are kept. Check them and save.'),
  });
  return made.kind === 'page' ? { ...made, status: 403 } : made;
}
