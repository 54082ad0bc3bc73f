import { type RequestHandler, Router } from 'express';
import { CompanyQueue } from '../server/company-queue.ts';
import { requestContextOf } from '../server/request-context.ts';
import { formBytesMax, type LongForm } from './form.ts';
import { type Person, pageRequestOf } from './page.ts';

/** In bytes: room for five of the longest forms. */
const companyMax = 16 * 1024 * 1024;

/**
 * Counts the bytes of long forms, from before they arrive until they are answered. A company's people and all administrators each have
 * room of their own. Senders who are not signed in share one.
 */
export const newFormRoom = (waitMs?: number): CompanyQueue =>
  new CompanyQueue({ max: 8 * companyMax, companyMax, ...(waitMs !== undefined && { waitMs }) });

/** Reads a form that may be long. `findSender` runs only before a long one. Throws what CompanyQueue's `enter` throws. */
export const readLongForm = (
  { bytesMax, parse }: LongForm,
  findSender: readonly RequestHandler[],
  room: CompanyQueue,
): RequestHandler[] => {
  const onlyLong: RequestHandler = ({ headers }, response, next) => {
    const bytes = Number(headers['content-length'] ?? bytesMax);
    // The parser refuses a longer one unread.
    if (bytes <= formBytesMax || bytes > bytesMax) return next('router');
    response.locals.formBytes = bytes;
    next();
  };
  const hold: RequestHandler = async (_request, response, next) => {
    const { lifetime } = requestContextOf(response);
    const { person } = pageRequestOf(response);
    const kind = person ? 'form' : 'unknown form';
    const company = companyOf(person);
    const bytes: number = response.locals.formBytes;
    await room.enter(company, kind, lifetime, bytes);
    lifetime.onEnd(() => room.leave(company, kind, bytes));
    next();
  };
  return [Router().use(onlyLong, ...findSender, hold), parse];
};

/** Administrators and unknown senders count as company 0. */
const companyOf = (person: Person | undefined): bigint => (person && 'company' in person ? person.company.id : 0n);
