import type { RequestHandler, Response } from 'express';
import { requestContextOf } from '../server/request-context.ts';
import { LanguageButtons, PostForm } from './components/post-form.tsx';
import { Form } from './form.ts';
import { sendPage } from './layout.tsx';
import { type PageDeps, pageRequestOf } from './page.ts';

/** Counts a form against its sender's limit before it is carried out; previews and language switches count too. Past the limit, answers 429. */
export const countForm =
  ({ formLimit }: Pick<PageDeps, 'formLimit'>): RequestHandler =>
  async (request, response, next) => {
    const { portal, person } = pageRequestOf(response);
    if (!person) throw new Error('requireSignIn has not run');
    const seconds = await formLimit.consume(portal, person.id);
    if (seconds === 0) return next();
    requestContextOf(response).refused = { code: 'form_limit' };
    response.set('Retry-After', String(seconds));
    sendLimit(response, new Form(request).typed(), seconds);
  };

/** Sends a page whose button returns to the form with what was typed. `count` is the number of seconds to wait. */
function sendLimit(response: Response, typed: string, count: number): void {
  const { address, t } = pageRequestOf(response);
  const title = t('Too many forms within a minute');
  const wait = t('Nothing was changed. Go on in {{count}} seconds.', {
    count,
    one: 'Nothing was changed. Go on in {{count}} second.',
  });
  const content = (
    <article class="narrow container">
      <h1>{title}</h1>
      <p role="alert">
        {wait} {typed && t('Your entries are kept.')}
      </p>
      {typed && (
        <PostForm action={address}>
          <input type="hidden" name="typed" value={typed} />
          <button type="submit">{t('Return to the form')}</button>
          <LanguageButtons />
        </PostForm>
      )}
    </article>
  );
  sendPage(response, { status: 429, title, content });
}
