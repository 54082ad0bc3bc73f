import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { head, parseAnswer, raw } from '../helper/raw-http.ts';

const json = 'Content-Type: application/json';
const plain = 'Content-Type: text/plain';
const gzip = 'Content-Encoding: gzip';
const nothing = '0\r\n\r\n';
/** A chunk that is never finished. */
const begun = 'ff\r\n{';

/** Whatever its type, an empty chunked body counts as none; one of another type is refused at its first byte. */
const rows: readonly (readonly [line: string, body: string, status: number, said: string, ...lines: string[]])[] = [
  ...[[], [plain], [json], [json, gzip]].flatMap((type) => [
    ['GET /sandbox/v1/account', nothing, 200, 'data', ...type] as const,
    ['DELETE /sandbox/v1/jobs/1', nothing, 404, 'job', ...type] as const,
    ['POST /sandbox/v1/jobs', nothing, 422, 'request_body', ...type] as const,
    ['POST /sandbox/mcp', nothing, 400, '-32600', ...type] as const,
  ]),
  ['POST /sandbox/v1/jobs', begun, 415, 'media_type', plain],
  ['POST /sandbox/v1/jobs', begun, 415, 'The Content-Type is missing or does not name JSON'],
  ['POST /sandbox/mcp', begun, 415, 'The Content-Type is missing or does not name JSON', plain],
  ['POST /sandbox/v1/jobs', begun, 415, 'content_encoding', json, gzip],
];

it('a chunked body counts as none if it is empty, and is refused at its first byte if it has another type', async () => {
  const auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'write')}`;
  const always = ['Host: 127.0.0.1', auth, 'Idempotency-Key: k', 'Transfer-Encoding: chunked', 'Connection: close'];
  for (const [line, body, status, said, ...lines] of rows) {
    const answer = parseAnswer(await raw(server(), head(`${line} HTTP/1.1`, ...always, ...lines) + body));
    expect([answer.status, answer.text.includes(said)], `${line} ${lines}`).to.deep.equal([status, true]);
  }
});
