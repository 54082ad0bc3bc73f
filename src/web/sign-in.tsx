import type { RequestHandler, Response } from 'express';
import { signIn } from '../gate/sign-in.ts';
import { formOf } from './form.ts';
import { frameOf, localsOf } from './frame-of.ts';
import type { Person, RealmPages } from './page.ts';
import type { PageDoor } from './page-door.ts';
import { searchOf } from './params.ts';
import { Field, FormErrors, PasswordField } from './parts/field.tsx';
import { PostForm } from './parts/post-form.tsx';
import { realms } from './realms.ts';
import { sendPage } from './render.tsx';
import type { Visit } from './visit.ts';

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

/** The sign-in of a realm: the form, and what it is sent to. */
export function signInPages<P extends Person>(pages: RealmPages<P>, door: PageDoor) {
  const { base, heading } = realms[pages.realm];
  const show: (...args: [...Parameters<RequestHandler>, Typed, number]) => void = (
    request,
    response,
    _next,
    typed,
    status,
  ) => {
    const content = <SignInPage base={base} heading={heading} typed={typed} failed={status !== 200} />;
    sendPage(response, status, 'Sign in', content, frameOf(pages, request, response, door.timeZone));
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
    const tried = { realm: pages.realm, email, password, address: request.ip ?? '' };
    const outcome = await signIn(door.services.db, door.signInLimits, tried);
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

function visitIn(response: Response): Visit {
  const { visit } = localsOf(response);
  if (!visit) throw new Error('no session was loaded');
  return visit;
}

/** Where to go after signing in: a page of the same realm, or else its first. */
const safeNext = (base: string, wanted: string): string =>
  wanted.startsWith(`${base}/`) && /^[\w/?=&-]+$/.test(wanted) ? wanted : base;
