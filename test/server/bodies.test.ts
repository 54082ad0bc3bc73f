import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { expect } from 'chai';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { head, open, parseAnswer, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';

const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const chunked = 'Transfer-Encoding: chunked';
const close = 'Connection: close';

/** The beginning of a request to each part that reads bodies. */
async function uploads(): Promise<string[]> {
  const auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'write')}`;
  const lines = ['Host: 127.0.0.1', 'Content-Length: 1000'];
  return [
    head('POST /sandbox/v1/jobs HTTP/1.1', auth, json, ...lines),
    head('POST /sandbox/mcp HTTP/1.1', auth, json, ...lines),
    head('POST /dashboard/sign-in HTTP/1.1', form, ...lines),
  ];
}

describe('an interrupted upload', () => {
  const aborted = async (page: number, work: (at: Server, upload: string) => Promise<void>) => {
    for (const upload of await uploads()) {
      const { log, lines, next } = recordedLog();
      const at = await startApp({}, { log });
      await work(at, upload);
      const line = await next(({ status }) => status !== undefined);
      // A page may be refused as a form that broke off, a moment before Node finds nobody to send it to.
      const statuses = upload.includes('/dashboard') ? [page, 'aborted'] : ['aborted'];
      expect([line.level, statuses.includes(line.status as number)], `${upload} ${line.status}`).to.deep.equal([
        30,
        true,
      ]);
      // Once a later request has its response, nothing still reads the refused one.
      await (await (await newCompany()).writer('sandbox', at)).create({});
      expect(
        lines.slice(1).map(({ status }) => status),
        JSON.stringify(lines),
      ).to.deep.equal([422]);
    }
  };

  it('logs one info line if it is interrupted during reading', () =>
    aborted(400, async (at, upload) => {
      const socket = open(at);
      const arrived = once(at, 'request') as Promise<[IncomingMessage]>;
      socket.write(`${upload}{`);
      const [request] = await arrived;
      // Somebody reads it: not before that does it break off.
      while (request.listenerCount('aborted') === 0) await new Promise(setImmediate);
      socket.destroy();
    }));

  it('logs the same line if it is interrupted before reading', () =>
    aborted(403, async (at, upload) => {
      at.prependOnceListener('request', (request: IncomingMessage) => request.destroy());
      const socket = open(at).on('error', () => undefined);
      socket.write(`${upload}{`);
      await once(socket, 'close');
    }));

  it('logs the same line for an invalid chunk', async () => {
    const upload = (await uploads())[0] ?? '';
    const { log, lines, next } = recordedLog();
    const at = await startApp({}, { log });
    await raw(at, `${upload.replace('Content-Length: 1000', chunked)}1\r\n{\r\nnone\r\n`);
    expect((await next(({ status }) => status !== undefined)).status).to.equal('aborted');
    expect(lines).to.have.length(1);
  });
});

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
