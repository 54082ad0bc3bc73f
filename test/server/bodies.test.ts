import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { head, parseAnswer, raw } from '../helper/raw-http.ts';

const json = 'Content-Type: application/json';
const plain = 'Content-Type: text/plain';
const gzip = 'Content-Encoding: gzip';
const chunked = 'Transfer-Encoding: chunked';
const close = 'Connection: close';
const nothing = '0\r\n\r\n';

describe('a chunked body', () => {
  let auth: string;
  beforeEach(async () => {
    auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'write')}`;
  });

  const ask = async (line: string, body: string, ...lines: string[]) =>
    parseAnswer(
      await raw(server(), head(`${line} HTTP/1.1`, 'Host: 127.0.0.1', auth, chunked, close, ...lines) + body),
    );

  it('counts as no body if it is empty, whatever its type', async () => {
    for (const type of [[], [plain], [json], [json, gzip]])
      for (const [line, status, said] of [
        ['GET /sandbox/v1/account', 200, 'data'],
        ['DELETE /sandbox/v1/jobs/1', 404, 'job'],
        ['POST /sandbox/v1/jobs', 422, 'request_body'],
        ['POST /sandbox/mcp', 400, '-32600'],
      ] as const) {
        const answer = await ask(line, nothing, 'Idempotency-Key: k', ...type);
        expect(answer.status, line).to.equal(status);
        expect(answer.text).to.include(said);
      }
  });

  it('is refused at its first byte if it has another type', async () => {
    for (const [path, reason, ...type] of [
      ['/sandbox/v1/jobs', 'media_type', plain],
      ['/sandbox/v1/jobs', 'media_type', 'X-None: none'],
      ['/sandbox/mcp', 'media_type', plain],
      ['/sandbox/v1/jobs', 'content_encoding', json, gzip],
    ] as const) {
      // The chunk is never finished.
      const answer = await ask(`POST ${path}`, 'ff\r\n{', ...type);
      expect([answer.status, answer.text.includes(reason)], `${path} ${type}`).to.deep.equal([415, true]);
    }
  });
});
