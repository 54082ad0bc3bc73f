import type { JsonText } from '../contract/types.ts';
import { rpcRefusal } from '../server/error-body.ts';
import { Lifetime } from '../server/request-context.ts';
import type { AnsweredMessage } from './json-rpc.ts';

export const batchMessagesMax = 20;

/** Past this size of the responses, the batch's remaining requests are refused and not run. */
const batchBytesMax = 8 * 1024 * 1024;

/**
 * Yields the responses to a batch as pieces of a JSON array. Makes each response after the client has read the one before, so memory does
 * not grow with the number of messages. Holds none of the company's places between two responses.
 */
export async function* batchResponses(
  messages: readonly AnsweredMessage[],
  respond: (message: AnsweredMessage, lifetime: Lifetime) => Promise<JsonText>,
  whole: Lifetime,
): AsyncGenerator<string> {
  let bytes = 0;
  let separator = '[';
  for (const message of messages) {
    yield separator;
    separator = ',';
    if (message.kind === 'request' && bytes >= batchBytesMax) {
      yield rpcRefusal('legacy', message.id, tooLarge);
      continue;
    }
    const lifetime = new Lifetime();
    whole.onEnd((outcome) => lifetime.end(outcome));
    const response = await respond(message, lifetime);
    for (const piece of typeof response === 'string' ? [response] : response) {
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
    lifetime.end(200);
  }
  yield ']';
}

const tooLarge = {
  status: 413,
  message:
    `This request was not run: the answers to a batch may have ${batchBytesMax} bytes, and those before it have. ` +
    'Send it by itself, or ask for smaller pages with per_page.',
  details: { reason: 'batch_bytes', batch_bytes_max: batchBytesMax },
};
