import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Portal } from '../domain/actor.ts';
import { ApiError, forbidden } from '../domain/errors.ts';
import type { Log } from '../log.ts';
import { toRefusal } from '../server/answer.ts';
import { requestContextOf } from '../server/request-context.ts';
import { formRefusal } from './form.ts';
import { pageNotFound } from './page.ts';
import { isCsrfError } from './page-session.ts';
import { portals } from './portals.ts';
import { type SendPage, textsOf } from './send-page.tsx';
import type { Texts } from './texts/texts.ts';

export const unknownPage: RequestHandler = () => {
  throw pageNotFound();
};

/** Shows every failure of a portal as a page. */
export const errorPage =
  (portal: Portal, log: Log, sendPage: SendPage): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const { requestId } = requestContextOf(response);
    const texts = textsOf(response);
    const { errors } = texts;
    const refused = toRefusal(asRefusal(error, texts), log, requestId);
    const { status, headers } = refused;
    const title = errors.titles[status] ?? errors.refused;
    const content = (
      <>
        <h1>{title}</h1>
        <p>{errors.messageOf(refused)}</p>
        {status >= 500 && (
          <p>
            {errors.request} <code>{requestId}</code>
          </p>
        )}
        <p>
          <a href={portals[portal].base}>{texts.portals[portal].back}</a>
        </p>
      </>
    );
    response.set(headers);
    sendPage(request, response, { status, title, content });
  };

/** Something of another company is answered like something that does not exist. */
function asRefusal(error: unknown, texts: Texts): unknown {
  if (isCsrfError(error)) return forbidden('permission', texts.errors.outOfDate);
  if (error instanceof ApiError && error.code.startsWith('unknown_')) return pageNotFound();
  if (error instanceof URIError) return pageNotFound();
  return formRefusal(error) ?? error;
}
