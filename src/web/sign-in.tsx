import type { RequestHandler } from 'express';
import { signIn } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import { Field, PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/form.tsx';
import { type FieldValues, Form } from './form.ts';
import type { PageContent, PageDeps } from './page.ts';
import { queryOf } from './params.ts';
import { portals } from './portals.ts';
import { localsOf, type SendPage, sessionOf, tOf } from './send-page.tsx';
import type { Translate } from './texts/t.ts';

function signInPage(portal: Portal, t: Translate, status: number, values: FieldValues): PageContent {
  const { base } = portals[portal];
  // One text for every failure, so that it reveals neither which accounts exist nor when one is throttled.
  const failure = t(
    'Sign-in failed. Check the e-mail address and the password. After several failed attempts, wait 15 minutes.',
  );
  const content = (
    <article class="narrow">
      <h1>{t(portals[portal].signInLabel)}</h1>
      <FormErrors errors={status === 200 ? {} : { '': failure }} />
      <PostForm action={`${base}/sign-in`} values={values}>
        <input type="hidden" name="next" value={values.next ?? ''} />
        <Field name="email" label={t('E-mail address')} type="email" autocomplete="username" required />
        <PasswordField name="password" label={t('Password')} />
        <button type="submit">{t('Sign in')}</button>
      </PostForm>
    </article>
  );
  return { status, title: t('Sign in'), content };
}

export const showSignIn =
  (portal: Portal, sendPage: SendPage): RequestHandler =>
  async (request, response) => {
    const next = queryOf(request).get('next') ?? '';
    if (localsOf(response).person) return response.redirect(303, safeNext(portal, next));
    await sessionOf(response).saveIfNew();
    sendPage(request, response, signInPage(portal, tOf(response), 200, { next }));
  };

export const submitSignIn =
  (portal: Portal, { db, signInLimits }: PageDeps, sendPage: SendPage): RequestHandler =>
  async (request, response) => {
    const form = new Form(request);
    const [email, password] = [form.text('email'), form.text('password')];
    const outcome = await signIn(db, signInLimits, { portal, email, password, address: request.ip ?? '' });
    if (outcome.kind === 'accepted') {
      await sessionOf(response).signIn(outcome.personId, outcome.passwordMark);
      return response.redirect(303, safeNext(portal, form.text('next')));
    }
    if (outcome.kind === 'throttled') response.set('Retry-After', String(outcome.seconds));
    const status = outcome.kind === 'throttled' ? 429 : 422;
    sendPage(request, response, signInPage(portal, tOf(response), status, form.values()));
  };

/** The page to show after signing in: only one of the same portal, so that `next` is no open redirect. */
function safeNext(portal: Portal, next: string): string {
  const { base } = portals[portal];
  return next.startsWith(`${base}/`) && /^[\w/?=&-]+$/.test(next) ? next : base;
}
