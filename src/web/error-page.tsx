import type { ErrorRequestHandler, RequestHandler } from 'express';
import { type ApiError, forbidden, refusal } from '../domain/errors.ts';
import type { Log } from '../log.ts';
import { ActionError } from '../operations/errors.ts';
import { toRefusal } from '../server/answer.ts';
import { requestContextOf } from '../server/request-context.ts';
import { formRefusal } from './form.ts';
import { frameOf } from './frame-of.ts';
import type { Person, PortalPages } from './page.ts';
import { isStaleForm } from './page-session.ts';
import { portals } from './portals.ts';
import { sendPage } from './render.tsx';

export const pageNotFound = (): ApiError => refusal(404, 'path', 'There is nothing at this address.');

export const unknownPage: RequestHandler = () => {
  throw pageNotFound();
};

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
  415: 'Not a form',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available',
};

/** Every failure of a portal's pages as a page of its own. */
export const errorPage =
  <P extends Person>(pages: PortalPages<P>, timeZone: string, log: Log): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { requestId } = requestContextOf(response);
    const { status, message, headers } = toRefusal(asRefusal(error), log, requestId);
    const { base, heading } = portals[pages.portal];
    const title = titles[status] ?? 'Refused';
    const content = (
      <>
        <h1>{title}</h1>
        <p>{message}</p>
        {status >= 500 && (
          <p>
            Request <code>{requestId}</code>
          </p>
        )}
        <p>
          <a href={base}>{`Back to the ${heading.toLowerCase()}`}</a>
        </p>
      </>
    );
    response.set(headers);
    sendPage(response, status, title, content, frameOf(pages, request, response, timeZone));
  };

/** What the layers below the pages throw, as what a person is told. Another company's thing is as unknown as no thing. */
function asRefusal(error: unknown): unknown {
  if (isStaleForm(error))
    return forbidden('permission', 'This form is out of date. Go back, load the page again, and send it once more.');
  if (error instanceof ActionError && error.code.startsWith('unknown_')) return pageNotFound();
  if (error instanceof URIError) return pageNotFound();
  return formRefusal(error) ?? error;
}
