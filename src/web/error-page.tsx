import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ApiError } from '../domain/errors.ts';
import type { Log } from '../log.ts';
import { toRefusal } from '../server/answer.ts';
import { requestContextOf } from '../server/request-context.ts';
import { Support } from './components/text.tsx';
import { messageOf } from './form.ts';
import { sendPage } from './layout.tsx';
import { type PageRequest, pageNotFound, pageRequestOf } from './page.ts';
import { portals } from './portals.ts';
import { timeText } from './texts/formats.ts';

const statusTitles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
  415: 'Not a form',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available',
};

export const unknownPage: RequestHandler = () => {
  throw pageNotFound();
};

/** Shows every failure as a page. */
export const errorPage =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const context = requestContextOf(response);
    const { requestId } = context;
    const { portal, t } = pageRequestOf(response);
    const refused = toRefusal(asRefusal(error), log, requestId);
    context.refused = refused;
    const { status, headers } = refused;
    const title = t(statusTitles[status] ?? 'Refused');
    const content = (
      <>
        <h1>{title}</h1>
        <p>
          {messageOf(refused, t)} {againText(refused, pageRequestOf(response))}
          {isForSupport(refused) && <Support />}
        </p>
        {status >= 500 && (
          <p>
            {t('Request')} <code>{requestId}</code>
          </p>
        )}
        <p>
          <a href={portals[portal].base}>{t(portals[portal].backLabel)}</a>
        </p>
      </>
    );
    response.set(headers);
    sendPage(response, { status, title, content });
  };

/** When to try again, if that is known for this person or more than a minute away. */
function againText({ status, details }: ApiError, { t, now, timeZone }: PageRequest): string {
  const seconds = Number(details.retry_after_seconds);
  if (status === 429 && seconds <= 60)
    return t('Try again in {{count}} seconds.', { count: seconds, one: 'Try again in {{count}} second.' });
  if (!(seconds > 60)) return '';
  const at = new Date(now.getTime() + seconds * 1000);
  return t('Try again at {{time}}.', { time: timeText(at, t.locale, timeZone) });
}

/** Whether the person needs help: they may not do this, or their password link has ended. */
const isForSupport = ({ status, code }: ApiError): boolean => status === 401 || status === 403 || code === 'link_ended';

/** Another company's things get the same answer as things that do not exist. */
function asRefusal(error: unknown): unknown {
  const isUnknown = error instanceof URIError || (error instanceof ApiError && error.code.startsWith('unknown_'));
  return isUnknown ? pageNotFound() : error;
}
