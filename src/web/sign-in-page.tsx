import type { RequestHandler, Response } from 'express';
import { signIn } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import { requestContextOf } from '../server/request-context.ts';
import { Field, PasswordField } from './components/field.tsx';
import { FormErrors, LanguageButtons, PostForm } from './components/post-form.tsx';
import { type FieldErrors, type FieldValues, Form } from './form.ts';
import { keepLanguage } from './language.ts';
import { sendPage } from './layout.tsx';
import { type PageDeps, type PageRequest, pageRequestOf, sessionOf, switchLanguage } from './page.ts';
import { portals } from './portals.ts';
import { timeText } from './texts/formats.ts';

const forgottenTexts: Readonly<Record<Portal, string>> = {
  company:
    "Ask an administrator of this service for a link to set a new one, yourself or through your company's main account.",
  administrator: 'Ask another administrator for a link to set a new one, or the operator, who has a command for it.',
};

type Typed = ReturnType<Form['typed']>;

/** What was typed into a form before its session ended travels through this page under names of its own. */
const carriedPrefix = 'typed.';
const carriedBy = (form: Form): Typed =>
  form
    .typed()
    .filter(([name]) => name.startsWith(carriedPrefix))
    .map(([name, value]) => [name.slice(carriedPrefix.length), value]);

const Hidden = ({ typed, prefix = '' }: { readonly typed: Typed; readonly prefix?: string }) =>
  typed.map(([name, value]) => <input type="hidden" key={name} name={prefix + name} value={value} />);

/** For a form whose session has ended. */
export async function askToSignIn(response: Response, typed: Typed): Promise<void> {
  await sessionOf(response).saveIfNew();
  sendForm(response, 403, { typed });
}

/** Leads back to the form; by a button, because only a form carries what was typed. */
function sendBack(response: Response, typed: Typed): void {
  const page = pageRequestOf(response);
  const { t } = page;
  const content = (
    <article class="narrow container">
      <h1>{t('You are signed in')}</h1>
      <p>{t('Your form was not sent. It is as you left it, without passwords.')}</p>
      <PostForm action={nextOf(page)}>
        <Hidden typed={typed} />
        <button type="submit" name="language" value={t.tag.slice(0, 2)}>
          {t('Back to your form')}
        </button>
      </PostForm>
    </article>
  );
  sendPage(response, { status: 200, title: t('You are signed in'), content });
}

interface Shown {
  readonly values?: FieldValues;
  readonly errors?: FieldErrors;
  readonly typed?: Typed;
}

/** The form; again, with what was typed and what is wrong. */
function sendForm(response: Response, status: number, { values = {}, errors = {}, typed = [] }: Shown = {}): void {
  const page = pageRequestOf(response);
  const { portal, t } = page;
  const content = (
    <article class="narrow container">
      <h1>{t(portals[portal].signInLabel)}</h1>
      <FormErrors errors={errors} />
      {typed.length > 0 && <p>{t('Your session has ended. Sign in, and your form is as you left it.')}</p>}
      <PostForm action={signInPath(portal, nextOf(page))} values={values}>
        <Hidden typed={typed} prefix={carriedPrefix} />
        <Field name="email" label={t('E-mail address')} type="email" autocomplete="username" required />
        <PasswordField name="password" label={t('Password')} />
        <button type="submit">{t('Sign in')}</button>
        {typed.length > 0 && <LanguageButtons />}
      </PostForm>
      <details class="mt-4">
        <summary>{t('Forgot your password?')}</summary>
        <p>{t(forgottenTexts[portal])}</p>
      </details>
    </article>
  );
  sendPage(response, { status, title: t('Sign in'), content });
}

export const showSignIn: RequestHandler = async (_request, response) => {
  const page = pageRequestOf(response);
  if (page.person) return response.redirect(303, nextOf(page));
  await sessionOf(response).saveIfNew();
  sendForm(response, 200);
};

export const submitSignIn =
  ({ db, signInLimits, clock }: PageDeps): RequestHandler =>
  async (request, response) => {
    const page = pageRequestOf(response);
    const { portal, t, timeZone } = page;
    const form = new Form(request);
    const [email, password] = [form.text('email'), form.text('password')];
    const shown = { values: form.values(), typed: carriedBy(form) };
    const language = keepLanguage(request, response);
    if (language) {
      switchLanguage(response, language);
      return sendForm(response, 200, shown);
    }
    const outcome = await signIn(db, signInLimits, { portal, email, password, address: request.ip ?? '' });
    if (outcome.kind === 'accepted') {
      await sessionOf(response).signIn(outcome.personId, outcome.passwordMark);
      return shown.typed.length > 0 ? sendBack(response, shown.typed) : response.redirect(303, nextOf(page));
    }
    requestContextOf(response).refused = { code: outcome.kind === 'refused' ? 'sign_in' : 'sign_in_limit' };
    // Neither text depends on whether there is such an account.
    if (outcome.kind === 'refused')
      return sendForm(response, 422, { ...shown, errors: { '': t('Wrong e-mail address or password.') } });
    const until = new Date(clock().getTime() + (outcome.seconds + 60) * 1000);
    const blocked = t(
      'Signing in is blocked until {{time}}, also with the right password: there were too many failed attempts with this e-mail address or from this network.',
      { time: timeText(until, t.locale, timeZone) },
    );
    response.set('Retry-After', String(outcome.seconds));
    sendForm(response, 429, { ...shown, errors: { '': blocked } });
  };

export function signInPath(portal: Portal, next: string): string {
  const { base } = portals[portal];
  return `${base}/sign-in${next === base ? '' : `?${new URLSearchParams({ next })}`}`;
}

/** Only a page of the same portal, so that `next` is no open redirect. */
function nextOf({ portal, query, path, address }: PageRequest): string {
  const { base } = portals[portal];
  const next = path === signInPath(portal, base) ? (query.get('next') ?? '') : address;
  return next.startsWith(`${base}/`) && /^(?![^?]*\.\.)[\w/%.-]+(\?[\w=&%+.*-]*)?$/.test(next) ? next : base;
}
