import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ApiError } from '../domain/errors.ts';
import { addressKey } from '../rate-limit/request-limits.ts';
import { requestContextOf } from '../server/request-context.ts';
import { formBytesMax, type LongForm } from './form.ts';
import type { FormRoom, Sender } from './form-room.ts';
import { pageRequestOf } from './page.ts';

/** Reads a form that may be long. `findSender` runs only before a long one. Throws what `parse` throws, and 503 `overload`. */
export const readLongForm = (
  { bytesMax, parse }: LongForm,
  findSender: readonly RequestHandler[],
  room: FormRoom,
): RequestHandler[] => {
  const onlyLong: RequestHandler = ({ headers }, _response, next) => {
    const bytes = Number(headers['content-length'] ?? bytesMax);
    // The parser refuses a longer one unread.
    next(bytes <= formBytesMax || bytes > bytesMax ? 'router' : undefined);
  };
  const readInRoom: RequestHandler = (request, response, next) => {
    const { lifetime } = requestContextOf(response);
    let hasArrived = false;
    const arrived = (error?: unknown): void => {
      if (hasArrived) return;
      hasArrived = true;
      request.off('data', count);
      next(error);
    };
    const form = {
      ...senderOf(request, response),
      isAtWork: () => hasArrived && !response.writableEnded,
      refuse: (refusal: ApiError) => {
        if (hasArrived) return void request.socket.destroy();
        arrived(refusal);
        // The parser frees what it has read.
        request.emit('error', refusal);
      },
    };
    let received = 0;
    const count = ({ length }: Buffer): void => {
      received += length;
      // The parser keeps nothing of a longer one.
      if (received <= bytesMax) room.add(form, length);
    };
    // While the parser drains a form that it has refused, it does not listen.
    request.on('error', () => undefined);
    lifetime.onEnd(() => room.remove(form));
    parse(request, response, arrived);
    if (!hasArrived) request.on('data', count);
  };
  return [Router().use(onlyLong, ...findSender, readInRoom), parse];
};

/** A company's people and all administrators each have a room of their own. Senders who are not signed in share one. */
function senderOf(request: Request, response: Response): Sender {
  const { person } = pageRequestOf(response);
  if (!person) return { room: 'unknown', sender: addressKey(request.ip ?? '') };
  return { room: 'company' in person ? `company ${person.company.id}` : 'administrators', sender: String(person.id) };
}
