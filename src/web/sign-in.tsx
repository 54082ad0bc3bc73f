import type { RequestHandler, Response } from 'express';
import { signIn } from '../auth/sign-in.ts';
import { formOf } from './form.ts';
import { frameOf, localsOf } from './frame-of.ts';
import type { Person, PortalPages } from './page.ts';
import type { PageDeps } from './page-deps.ts';
import type { PageSession } from './page-session.ts';
import { searchOf } from './params.ts';
import { Field, FormErrors, PasswordField } from './parts/field.tsx';
import { PostForm } from './parts/post-form.tsx';
import { portals } from './portals.ts';
import { sendPage } from './render.tsx';

/** One text for every failure, so that it tells neither which addresses have an account nor when one is throttled. */
const failure =
  'Nobody was signed in. Check the e-mail address and the password; after several failed tries, wait 15 minutes.';

interface Typed {
  readonly email: string;
  readonly next: string;
}

function SignInPage({
  base,
  heading,
  typed,
  failed,
}: {
  base: string;
  heading: string;
  typed: Typed;
  failed: boolean;
}) {
  return (
    <article class="narrow">
      <h1>{`Sign in to the ${heading.toLowerCase()}`}</h1>
      <FormErrors errors={failed ? { '': failure } : {}} />
      <PostForm action={`${base}/sign-in`}>
        <input type="hidden" name="next" value={typed.next} />
        <Field
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="username"
          required
          value={typed.email}
          errors={{}}
        />
        <PasswordField name="password" label="Password" errors={{}} />
        <button type="submit">Sign in</button>
      </PostForm>
    </article>
  );
}

/** The sign-in of a portal: the form, and what it is sent to. */
export function signInPages<P extends Person>(pages: PortalPages<P>, deps: PageDeps) {
  const { base, heading } = portals[pages.portal];
  const show: (...args: [...Parameters<RequestHandler>, Typed, number]) => void = (
    request,
    response,
    _next,
    typed,
    status,
  ) => {
    const content = <SignInPage base={base} heading={heading} typed={typed} failed={status !== 200} />;
    sendPage(response, status, 'Sign in', content, frameOf(pages, request, response, deps.timeZone));
  };

  const get: RequestHandler = async (request, response, next) => {
    const wanted = searchOf(request).get('next') ?? '';
    if (localsOf(response).person) {
      response.redirect(303, safeNext(base, wanted));
      return;
    }
    await visitIn(response).keep();
    show(request, response, next, { email: '', next: wanted }, 200);
  };

  const post: RequestHandler = async (request, response, next) => {
    const form = formOf(request);
    const [email, password] = [form.text('email'), form.text('password')];
    const tried = { portal: pages.portal, email, password, address: request.ip ?? '' };
    const outcome = await signIn(deps.services.db, deps.signInLimits, tried);
    if (outcome.kind === 'accepted') {
      await visitIn(response).signIn(outcome.personId, outcome.passwordMark);
      response.redirect(303, safeNext(base, form.text('next')));
      return;
    }
    if (outcome.kind === 'throttled') response.set('Retry-After', String(outcome.seconds));
    show(request, response, next, { email, next: form.text('next') }, outcome.kind === 'throttled' ? 429 : 422);
  };
  return { get, post };
}

function visitIn(response: Response): PageSession {
  const { session } = localsOf(response);
  if (!session) throw new Error('no session was loaded');
  return session;
}

/** Where to go after signing in: a page of the same portal, or else its first. */
const safeNext = (base: string, wanted: string): string =>
  wanted.startsWith(`${base}/`) && /^[\w/?=&-]+$/.test(wanted) ? wanted : base;
