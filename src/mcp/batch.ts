import type { JsonPieces } from '../domain/cached-json.ts';
import { codes, failure, type Message, type Response } from './json-rpc.ts';

/** JSON-RPC batches belong to protocol version 2025-03-26. */
export const batchMessagesMax = 20;

/** Once the answers to a batch have so many bytes, the rest of its requests are refused without being run. */
const batchBytesMax = 8 * 1024 * 1024;

/**
 * The answers to a batch as the pieces of one JSON array, each made when the piece before it has been taken: what is in memory does not
 * grow with the number of messages.
 */
export async function* batchAnswers(
  messages: readonly Message[],
  answer: (message: Message, answered: () => Promise<unknown>) => Promise<string | JsonPieces>,
): AsyncGenerator<string> {
  let bytes = 0;
  let separator = '[';
  for (const message of messages) {
    if (message.kind === 'silent') continue;
    yield separator;
    separator = ',';
    if (message.kind === 'request' && bytes >= batchBytesMax) {
      yield JSON.stringify(tooLarge(message.request.id));
      continue;
    }
    let sent = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      sent = resolve;
    });
    try {
      const text = await answer(message, () => answered);
      for (const piece of typeof text === 'string' ? [text] : text()) {
        bytes += Buffer.byteLength(piece);
        yield piece;
      }
    } finally {
      sent();
    }
  }
  yield ']';
}

const tooLarge = (id: string | number): Response =>
  failure(id, {
    code: codes.server,
    message:
      `This request was not run: the answers to a batch may have ${batchBytesMax} bytes, and those before it have. ` +
      'Send it by itself, or ask for smaller pages with per_page.',
    data: { status: 413, reason: 'batch_bytes', batch_bytes_max: batchBytesMax },
  });
