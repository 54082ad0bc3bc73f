import type { JsonPieces } from '../domain/cached-json.ts';
import type { Lifetime } from '../domain/lifetime.ts';
import { codes, failure, type Message } from './json-rpc.ts';

export const batchMessagesMax = 20;

/** Past this size, the remaining requests of a batch are refused without being run. */
const batchBytesMax = 8 * 1024 * 1024;

/**
 * The responses to a batch, as pieces of a JSON array. Each is made after the client has taken the one before, so that memory does not
 * grow with the number of messages.
 */
export async function* batchResponses(
  messages: readonly Message[],
  batch: Lifetime,
  respond: (message: Message, lifetime: Lifetime) => Promise<string | JsonPieces>,
): AsyncGenerator<string> {
  let bytes = 0;
  let separator = '[';
  for (const message of messages) {
    if (message.kind === 'silent') continue;
    yield separator;
    separator = ',';
    if (message.kind === 'request' && bytes >= batchBytesMax) {
      yield tooLarge(message.request.id);
      continue;
    }
    const lifetime = batch.part();
    try {
      const response = await respond(message, lifetime);
      for (const piece of typeof response === 'string' ? [response] : response()) {
        bytes += Buffer.byteLength(piece);
        yield piece;
      }
    } finally {
      lifetime.end(200);
    }
  }
  yield ']';
}

const tooLarge = (id: string | number): string =>
  failure(id, {
    code: codes.server,
    message:
      `This request was not run: the answers to a batch may have ${batchBytesMax} bytes, and those before it have. ` +
      'Send it by itself, or ask for smaller pages with per_page.',
    data: { status: 413, reason: 'batch_bytes', batch_bytes_max: batchBytesMax },
  });
