import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { newJob, server, startApp } from '../helper/fixtures.ts';
import { has, newUser, PageClient, valueIn } from '../helper/page-client.ts';
import { head, open } from '../helper/raw-http.ts';
import { times } from '../helper/times.ts';

const ours = { 'Sec-Fetch-Site': 'same-origin' };
const longest = 2_800_000;
const long = { 'job.title': 'Outra', 'job.requirements': '😀'.repeat(5000) };

/** Sends a form without its body. */
function begin(at: Server, path: string, length: number, ...lines: string[]): Socket {
  const socket = open(at).on('error', () => undefined);
  const type = 'Content-Type: application/x-www-form-urlencoded';
  socket.write(`${head(`POST /dashboard${path} HTTP/1.1`, 'Host: x', type, `Content-Length: ${length}`, ...lines)}`);
  return socket;
}

/** Without the last byte of each, these lengths fill the room. */
const filling = [...times(5, () => longest), 16 * 1024 * 1024 - 5 * longest + 6];

/** Waits until a form has arrived but for its last byte. */
const nearlyArrived = (at: Server, length: number): Promise<void> =>
  new Promise((resolve) => {
    at.once('request', (request: IncomingMessage) => {
      let arrived = 0;
      const count = (part: Buffer) => {
        arrived += part.length;
        if (arrived === length - 1) resolve();
      };
      request.once('resume', () => request.on('data', count));
    });
  });

/** Sends forms of one sender but for their last byte, so that there is no room left. Waits until they have arrived. */
async function fillRoom(at: Server, path: string, ...lines: string[]): Promise<Socket[]> {
  const sockets = [];
  for (const length of filling) {
    const arrived = nearlyArrived(at, length);
    const socket = begin(at, path, length, ...lines);
    socket.write('x'.repeat(length - 1));
    await arrived;
    sockets.push(socket);
  }
  return sockets;
}

async function signedIn(email: string, at: Server, headers: Record<string, string>): Promise<PageClient> {
  const client = new PageClient('company', at, headers);
  expect((await client.signIn(email)).status).to.equal(303);
  return client;
}

async function newEditor(at: Server, headers: Record<string, string> = {}) {
  const { acme, path, writer, id } = await newJob();
  const main = await signedIn(await newUser(acme), at, headers);
  const formPath = `${path}/update`;
  const form = await main.get(formPath);
  const title = async (): Promise<unknown> => (await writer.get(`/jobs/${id}`)).body.data.title;
  return { acme, main, formPath, form, title };
}

describe('a long form', () => {
  let main: PageClient;
  let formPath: string;
  before(async () => {
    ({ main, formPath } = await newEditor(server()));
  });

  for (const [name, body] of Object.entries({
    'in one field': `a=${'"'.repeat(2_600_000)}`,
    'in 1,999 fields': times(1999, (n) => `f${n}=${'"'.repeat(1430)}`).join('&'),
    'of spaces': `a=${'+'.repeat(longest)}`,
    'that is no UTF-8': `a=${'%FF'.repeat(900_000)}`,
    'encoded twice': `job.title=${'%25F0%259F%2598%2580'.repeat(143_000)}`,
    'that a sign-in form carries': `email=a&typed=a%3D${'%2522'.repeat(500_000)}`,
  }))
    it(`with more characters than the contract allows its fields is refused, ${name}`, async () => {
      for (const client of [new PageClient('company', server(), ours), main])
        expect((await client.postRaw(formPath, body)).status).to.equal(413);
    });

  it('of an unknown sender is kept as it was sent, without passwords', async () => {
    const typed = times(1500, (n) => `job.title=${n}+%22%E2%82%AC%80${'%22'.repeat(100)}`).join('&');
    const visitor = new PageClient('company', server(), ours);
    const secrets = '_csrf=x&currentPassword=uma&new%50assword=outra&once=1';
    const page = await visitor.postRaw(formPath, `${typed}&${secrets}`);
    expect([page.status, valueIn(page, '[name=typed]')]).to.deep.equal([403, typed]);
  });

  it('takes no room before it arrives', async () => {
    const at = await startApp();
    const { main, formPath, form } = await newEditor(at);
    const lengths = [...times(5, () => longest), 16 * 1024 * 1024 - 5 * longest];
    const sockets = [];
    for (const lines of [[`Cookie: ${main.cookie}`], []])
      for (const length of lengths) {
        const begun = once(at, 'request');
        sockets.push(begin(at, formPath, length, ...lines));
        await begun;
      }
    expect((await main.submit(form, formPath, long)).status).to.equal(303);
    const visitor = new PageClient('company', at, ours);
    expect((await visitor.submit(form, formPath, long)).status).to.equal(403);
    for (const socket of sockets) socket.destroy();
  });

  it('that arrives slowly takes no room from others: not from the same company’s, nor from those of other addresses', async () => {
    const at = await startApp({ TRUST_PROXY: '127.0.0.1' });
    const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
    const { acme, main, formPath, form } = await newEditor(at, from('192.0.2.1'));
    const sub = await signedIn(await newUser(acme, 'sub'), at, from('192.0.2.2'));
    const proxied = ['X-Forwarded-For: 192.0.2.2', 'X-Forwarded-Proto: https'];
    for (const lines of [[`Cookie: ${sub.cookie}`], []]) {
      const slow = await fillRoom(at, formPath, ...proxied, ...lines);
      expect((await main.submit(form, formPath, long)).status).to.equal(303);
      const visitor = new PageClient('company', at, { ...ours, ...from('192.0.2.3') });
      const kept = await visitor.submit(form, formPath, long);
      expect([kept.status, has(kept, '[name=typed]')]).to.deep.equal([403, true]);
      for (const socket of slow) socket.destroy();
    }
  });

  it('changes nothing if its session ends while it arrives', async () => {
    const { main, formPath, form, title } = await newEditor(server());
    const fields = new URLSearchParams({ a: 'x'.repeat(33_000) });
    for (const { name, value } of form.document.querySelectorAll<HTMLInputElement>(
      'main form :is(input, select, textarea)',
    ))
      fields.set(name, value);
    fields.set('job.title', 'Tarde demais');
    const body = String(fields);
    const begun = once(server(), 'request').then(([sent]: IncomingMessage[]) =>
      once(sent as IncomingMessage, 'resume'),
    );
    const socket = begin(server(), formPath, body.length, `Cookie: ${main.cookie}`);
    await begun;
    await main.submit(await main.get('/account'), '/sign-out');
    socket.write(body);
    expect(String((await once(socket, 'data'))[0])).to.match(/^HTTP\/1.1 403 /);
    socket.destroy();
    expect(await title()).to.equal('Eletricista');
  });
});
