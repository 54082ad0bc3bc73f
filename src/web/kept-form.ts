import { parse } from 'node:querystring';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { Form, refuseNul } from './form.ts';
import { isOutdated, type PageAnswer, type PageContext, type Person, pageRequestOf, type Route } from './page.ts';
import { portals } from './portals.ts';
import { askToSignIn, signInPath } from './sign-in-page.tsx';

// What a person typed survives the end of their session: the sign-in form, at the form's own address, carries it, and after signing in
// the form is shown as it was. It changes nothing until it is sent again.

/** Comes before a form that can be shown again. `signIn` goes on once the person is in. */
export const keepForm = (signIn: readonly RequestHandler[]): RequestHandler[] => [
  Router().use(onlyCarrying, ...signIn),
  restoreForm,
  admitOutdated,
];

/** A sign-in that carries a form. */
const onlyCarrying: RequestHandler = (request, response, next) =>
  next(!pageRequestOf(response).person && new Form(request).has('typed') ? undefined : 'router');

const restoreForm: RequestHandler = (request, response, next) => {
  const { portal, person, address } = pageRequestOf(response);
  const form = new Form(request);
  const typed = form.typed();
  if (!person && typed && isFromOurPage(request, portals[portal].cookie)) return askToSignIn(response, typed);
  if (!person) return response.redirect(303, signInPath(portal, address));
  // They may have signed in in another tab, or come back after the limit of forms, with a token.
  if (form.has('typed')) {
    response.locals.isReturned = !isOutdated(request, response);
    request.body = parse(form.text('typed'));
  }
  refuseNul(request, response, next);
};

/** Another site's form has no cookie of ours, and the browser says where it is from. */
const isFromOurPage = ({ headers }: Request, cookie: string): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || headers.cookie?.includes(`${cookie}=`) === true;

/** The form of an earlier session goes on, to be shown again. */
const admitOutdated: RequestHandler = (request, response, next) => {
  response.locals.isOutdated = isOutdated(request, response);
  next();
};

/** The form as it was typed: of an earlier session, past the limit, or in another language. Undefined if it is to be done. */
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
