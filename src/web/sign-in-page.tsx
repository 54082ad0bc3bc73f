import type { RequestHandler, Response } from 'express';
import { type Several, type SignInOutcome, type SignInTry, signIn } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import { addressKey } from '../rate-limit/request-limits.ts';
import { CompanyQueue } from '../server/company-queue.ts';
import { type Lifetime, requestContextOf } from '../server/request-context.ts';
import { Field, PasswordField, SelectField } from './components/field.tsx';
import { FormErrors, type FormState, LanguageButtons, PostForm } from './components/post-form.tsx';
import { Support } from './components/text.tsx';
import { Form } from './form.ts';
import { companyLabel } from './labels.ts';
import { sendPage } from './layout.tsx';
import { idOf, type PageDeps, type PageRequest, pageRequestOf, returnPath, sessionOf } from './page.ts';
import { portals } from './portals.ts';
import { timeText } from './texts/formats.ts';

/** Sends the sign-in form (403) in answer to a form whose session has ended. After sign-in, that form is shown again with the typed values. */
export const askToSignIn = (response: Response, typed: string): void => sendForm(response, 403, { values: { typed } });

/** Sends the sign-in form; after a failure, with the typed address and the error. If `companies` are given, one must be chosen. */
function sendForm(
  response: Response,
  status: number,
  { values = {}, errors = {} }: FormState = {},
  { companies, areMore = false }: Pick<Several, 'companies' | 'areMore'> = { companies: [] },
): void {
  const { portal, address, t } = pageRequestOf(response);
  const { typed = '' } = values;
  const content = (
    <article class="narrow container">
      <h1>{t(portals[portal].signInLabel)}</h1>
      <FormErrors errors={errors} />
      {typed && <p>{t('Your session has ended. Sign in to return to your form; your entries are kept.')}</p>}
      <PostForm action={address} values={values}>
        {typed && <input type="hidden" name="typed" value={typed} />}
        <Field name="email" label={t('E-mail address')} type="email" autocomplete="username" required />
        {companies.length > 0 && (
          <SelectField
            name="company"
            label={t('Company')}
            hint={[
              t('You have accounts in several companies with this password. Choose one, and type the password again.'),
              areMore &&
                t(
                  'Only the oldest {{listed}} accounts are listed. The main account of another company can send you a link that sets another password there.',
                  { listed: companies.length },
                ),
            ]
              .filter(Boolean)
              .join(' ')}
            options={companies.map(({ id, name }) => [
              String(id),
              companyLabel({ companyId: id, companyName: name }, companies),
            ])}
          />
        )}
        <PasswordField name="password" label={t('Password')} />
        <button type="submit">{t('Sign in')}</button>
        <LanguageButtons />
      </PostForm>
      <details class="mt-4">
        <summary>{t('Forgot your password?')}</summary>
        <p>
          {t(portals[portal].forgottenLabel)}
          <Support />
        </p>
      </details>
    </article>
  );
  sendPage(response, { status, title: t('Sign in'), content });
}

export const showSignIn: RequestHandler = (_request, response) => {
  const page = pageRequestOf(response);
  if (page.person) return response.redirect(303, nextOf(page));
  sendForm(response, 200);
};

/** Lets the sign-ins of a network address run one at a time, so that each reads the failures that the earlier ones have counted. */
export const newSignInQueue = (waitMs?: number): CompanyQueue =>
  new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: 1, ...(waitMs !== undefined && { waitMs }) });

/** Signs in within the limit of the network address, and in its place. Throws what CompanyQueue's `enter` throws. */
async function signInInPlace(
  { db, signInLimits, signInQueue }: PageDeps,
  tried: SignInTry,
  lifetime: Lifetime,
): Promise<SignInOutcome> {
  const address = addressKey(tried.address);
  const seconds = await signInLimits.countTry(address);
  if (seconds > 0) return { kind: 'throttled', seconds };
  return signInQueue.run(address, 'sign-in', lifetime, () => signIn(db, signInLimits, tried));
}

/** Signs in and redirects to the next page. A sign-in that carries a typed form calls `next()` instead, and that form is shown. */
export const submitSignIn =
  (deps: PageDeps): RequestHandler =>
  async (request, response, next) => {
    const page = pageRequestOf(response);
    const { portal, t, timeZone } = page;
    const values = new Form(request).values();
    const { email = '', password = '', company = '', typed, language } = values;
    if (language !== undefined) return sendForm(response, 200, { values });
    const companyId = idOf(company);
    const tried = { portal, email, password, companyId, address: request.ip ?? '' };
    const outcome = await signInInPlace(deps, tried, requestContextOf(response).lifetime);
    if (outcome.kind === 'accepted') {
      await sessionOf(response).signIn(outcome.personId, outcome.passwordMark);
      return typed ? next() : response.redirect(303, nextOf(page));
    }
    if (outcome.kind === 'several') return sendForm(response, 200, { values }, outcome);
    requestContextOf(response).refused = { code: outcome.kind === 'refused' ? 'sign_in' : 'sign_in_limit' };
    // Neither text reveals whether the account exists.
    if (outcome.kind === 'refused')
      return sendForm(response, 422, { values, errors: { '': t('Wrong e-mail address or password.') } });
    const until = new Date(deps.clock().getTime() + (outcome.seconds + 60) * 1000);
    const blocked = t(
      'Signing in is blocked until {{time}}, even with the right password: there were too many attempts with this e-mail address or from this network.',
      { time: timeText(until, t.locale, timeZone) },
    );
    response.set('Retry-After', String(outcome.seconds));
    sendForm(response, 429, { values, errors: { '': blocked } });
  };

export function signInPath(portal: Portal, next: string): string {
  const { base } = portals[portal];
  return `${base}/sign-in${next === base ? '' : `?${new URLSearchParams({ next })}`}`;
}

/** The address of a list's file. The file's query finds the same rows in the list. */
const listFile = /^\/[^?]*\/(\w+)\.csv(?=\?|$)/;

/**
 * The page that `next` names, if it belongs to the same portal, otherwise the portal's first page. For a list's file it is the list: a browser
 * that downloads a file would stay at the sign-in form.
 */
function nextOf({ portal, query }: PageRequest): string {
  const { base } = portals[portal];
  const next = returnPath(query.get('next') ?? '');
  return next.startsWith(`${base}/`) ? next.replace(listFile, `${base}/$1`) : base;
}
