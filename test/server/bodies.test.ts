import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { head, parseAnswer, raw } from '../helper/raw-http.ts';

const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const close = 'Connection: close';

describe('a chunked body', () => {
  let auth: string;
  beforeEach(async () => {
    auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'write')}`;
  });

  const ask = async (line: string, body: string, ...lines: string[]) =>
    parseAnswer(
      await raw(server(), head(`${line} HTTP/1.1`, 'Host: 127.0.0.1', auth, chunked, close, ...lines) + body),
    );
  const nothing = '0\r\n\r\n';

  it('counts as no body if it is empty, whatever its type', async () => {
    for (const type of [[], ['Content-Type: text/plain'], [json], [json, 'Content-Encoding: gzip']]) {
      expect((await ask('GET /sandbox/v1/account', nothing, ...type)).status).to.equal(200);
      expect((await ask('DELETE /sandbox/v1/jobs/1', nothing, ...type)).status).to.equal(404);
      const post = await ask('POST /sandbox/v1/jobs', nothing, 'Idempotency-Key: k', ...type);
      expect([post.status, post.text]).to.deep.equal([422, post.text]);
      expect(post.text).to.include('request_body');
      const call = await ask('POST /sandbox/mcp', nothing, ...type);
      expect([call.status, (call.body as { error: { code: number } }).error.code]).to.deep.equal([400, -32600]);
    }
  });

  it('is refused at its first byte if it has another type', async () => {
    for (const [path, type] of [
      ['/sandbox/v1/jobs', 'Content-Type: text/plain'],
      ['/sandbox/v1/jobs', 'X-None: none'],
      ['/sandbox/mcp', 'Content-Type: text/plain'],
    ] as const) {
      // The chunk is never finished.
      const answer = await ask(`POST ${path}`, 'ff\r\n{', type);
      expect([answer.status, answer.text.includes('media_type')], path).to.deep.equal([415, true]);
    }
    const packed = await ask('POST /sandbox/v1/jobs', 'ff\r\n{', json, 'Content-Encoding: gzip');
    expect([packed.status, packed.text.includes('content_encoding')]).to.deep.equal([415, true]);
  });

  it('leaves the connection usable after a refusal', async () => {
    const refused = `${head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', auth, chunked)}1\r\n{\r\n${nothing}`;
    const text = await raw(server(), refused + head('GET /sandbox/v1/account HTTP/1.1', 'Host: x', auth, close));
    expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 415', 'HTTP/1.1 200']);
  });
});
