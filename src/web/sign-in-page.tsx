import type { RequestHandler } from 'express';
import { signIn } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import { Field, PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/post-form.tsx';
import { type FieldErrors, type FieldValues, Form } from './form.ts';
import type { PageContent, PageDeps, Route } from './page.ts';
import { queryOf } from './params.ts';
import { portals } from './portals.ts';
import { localsOf, type SendPage, sessionOf, tOf } from './send-page.tsx';
import { timeText } from './texts/formats.ts';
import type { Translate } from './texts/t.ts';

interface SignInPage {
  readonly status: number;
  readonly values: FieldValues;
  readonly errors?: FieldErrors;
  /** A form was sent after its session had ended. */
  readonly hasEnded?: boolean;
}

const forgottenTexts: Readonly<Record<Portal, string>> = {
  company: "Ask your company's main account or the administrator of this service for a new one.",
  administrator: 'Ask the operator of this service for a new one: a command sets it.',
};

function signInPage(portal: Portal, t: Translate, { status, values, errors = {}, hasEnded }: SignInPage): PageContent {
  const { base } = portals[portal];
  const content = (
    <article class="narrow container">
      <h1>{t(portals[portal].signInLabel)}</h1>
      {hasEnded && (
        <p class="notice" role="status">
          {t('Your session has ended, so nothing was changed. Sign in to return to the form.')}
        </p>
      )}
      <FormErrors errors={errors} />
      <PostForm action={`${base}/sign-in`} values={values}>
        <input type="hidden" name="next" value={values.next ?? ''} />
        <Field name="email" label={t('E-mail address')} type="email" autocomplete="username" required />
        <PasswordField name="password" label={t('Password')} />
        <button type="submit">{t('Sign in')}</button>
      </PostForm>
      <details class="mt-4">
        <summary>{t('Forgot your password?')}</summary>
        <p>{t(forgottenTexts[portal])}</p>
      </details>
    </article>
  );
  return { status, title: t('Sign in'), content };
}

export const showSignIn =
  (portal: Portal, sendPage: SendPage): RequestHandler =>
  async (request, response) => {
    const query = queryOf(request);
    const next = query.get('next') ?? '';
    if (localsOf(response).person) return response.redirect(303, safeNext(portal, next));
    await sessionOf(response).saveIfNew();
    const shown = { status: 200, values: { next }, hasEnded: query.has('ended') };
    sendPage(request, response, signInPage(portal, tOf(response), shown));
  };

export const submitSignIn =
  (portal: Portal, { db, signInLimits, clock, timeZone }: PageDeps, sendPage: SendPage): RequestHandler =>
  async (request, response) => {
    const t = tOf(response);
    const form = new Form(request);
    const [email, password] = [form.text('email'), form.text('password')];
    const outcome = await signIn(db, signInLimits, { portal, email, password, address: request.ip ?? '' });
    if (outcome.kind === 'accepted') {
      await sessionOf(response).signIn(outcome.personId, outcome.passwordMark);
      return response.redirect(303, safeNext(portal, form.text('next')));
    }
    localsOf(response).formPage = signInPath(portal, safeNext(portal, form.text('next')), false);
    const values = form.values();
    // Neither text depends on whether there is such an account.
    if (outcome.kind === 'refused') {
      const errors = { '': t('Wrong e-mail address or password.') };
      return sendPage(request, response, signInPage(portal, t, { status: 422, values, errors }));
    }
    const until = new Date(clock().getTime() + (outcome.seconds + 60) * 1000);
    const blocked = t(
      'Signing in is blocked until {{time}}, also with the right password: there were too many failed attempts with this e-mail address or from this network.',
      { time: timeText(until, t.locale, timeZone) },
    );
    response.set('Retry-After', String(outcome.seconds));
    sendPage(request, response, signInPage(portal, t, { status: 429, values, errors: { '': blocked } }));
  };

/** Shows the sign-in page again if its session has ended, as it does after half an hour. */
export const leadToNewSignIn =
  (portal: Portal): RequestHandler =>
  (request, response, next) => {
    const session = sessionOf(response);
    if (!session.isNew || !session.hasForeignForm()) return next();
    response.redirect(303, signInPath(portal, safeNext(portal, new Form(request).text('next')), true));
  };

/**
 * Leads a visitor to the sign-in page and then on to the requested page. A form is not sent again: its person returns to its page, also
 * after signing in elsewhere.
 */
export function requireSignIn(portal: Portal, route: Route<never>, routes: readonly Route<never>[]): RequestHandler {
  const isForm = route.method === 'post';
  const depth = isForm ? pageOfForm(route, routes).split('/').length : 0;
  return async ({ baseUrl, path, originalUrl }, response, next) => {
    const page = isForm ? baseUrl + path.split('/').slice(0, depth).join('/') : originalUrl;
    localsOf(response).formPage = page;
    if (!localsOf(response).person) return response.redirect(303, signInPath(portal, page, isForm));
    const session = sessionOf(response);
    if (!isForm || !session.hasForeignForm()) return next();
    await session.leaveNotice(
      tOf(response)('That form was from an earlier session, so nothing was changed. Send it again.'),
    );
    response.redirect(303, page);
  };
}

/** The page that has a route's form: the nearest one upwards from the form's own address; '' is the first page. */
function pageOfForm({ path }: Route<never>, routes: readonly Route<never>[]): string {
  const pages = new Set(routes.filter(({ method }) => method === 'get').map((route) => route.path));
  let page = path;
  while (page !== '' && !pages.has(page)) page = page.slice(0, page.lastIndexOf('/'));
  return page;
}

/** The end is said in the query: leaving a notice needs a session, and a new one could replace that of a reader whose cookie was not sent. */
function signInPath(portal: Portal, next: string, hasEnded: boolean): string {
  const { base } = portals[portal];
  const query = new URLSearchParams({
    ...(hasEnded && { ended: 'yes' }),
    ...(next !== base && next !== '' && { next }),
  });
  return query.size === 0 ? `${base}/sign-in` : `${base}/sign-in?${query}`;
}

/** The page to show after signing in: only one of the same portal, so that `next` is no open redirect. */
function safeNext(portal: Portal, next: string): string {
  const { base } = portals[portal];
  return next.startsWith(`${base}/`) && /^[\w/?=&-]+$/.test(next) ? next : base;
}
