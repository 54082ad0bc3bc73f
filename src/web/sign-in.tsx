import type { RequestHandler } from 'express';
import { signIn } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import { Field, PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/form.tsx';
import { type FieldValues, Form } from './form.ts';
import type { PageContent, PageDeps } from './page.ts';
import { queryOf } from './params.ts';
import { portals } from './portals.ts';
import { localsOf, type SendPage, sessionOf, textsOf } from './send-page.tsx';
import type { Texts } from './texts/texts.ts';

function signInPage(portal: Portal, texts: Texts, status: number, values: FieldValues): PageContent {
  const { base } = portals[portal];
  const { signIn: words } = texts;
  const content = (
    <article class="narrow">
      <h1>{texts.portals[portal].signIn}</h1>
      <FormErrors errors={status === 200 ? {} : { '': words.failure }} />
      <PostForm action={`${base}/sign-in`} values={values}>
        <input type="hidden" name="next" value={values.next ?? ''} />
        <Field name="email" label={words.email} type="email" autocomplete="username" required />
        <PasswordField name="password" label={words.password} />
        <button type="submit">{words.title}</button>
      </PostForm>
    </article>
  );
  return { status, title: words.title, content };
}

export const showSignIn =
  (portal: Portal, sendPage: SendPage): RequestHandler =>
  async (request, response) => {
    const next = queryOf(request).get('next') ?? '';
    if (localsOf(response).person) return response.redirect(303, safeNext(portal, next));
    await sessionOf(response).saveIfNew();
    sendPage(request, response, signInPage(portal, textsOf(response), 200, { next }));
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
    sendPage(request, response, signInPage(portal, textsOf(response), status, form.values()));
  };

/** The page to show after signing in: only one of the same portal, so that `next` is no open redirect. */
function safeNext(portal: Portal, next: string): string {
  const { base } = portals[portal];
  return next.startsWith(`${base}/`) && /^[\w/?=&-]+$/.test(next) ? next : base;
}
