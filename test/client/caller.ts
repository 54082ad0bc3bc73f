import { once } from 'node:events';
import http from 'node:http';
import { type Client, type ClientOptions, createClient, VagaError } from '../../src/client/index.ts';
import type { Access } from '../../src/domain/actor.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { type LimitStore, memoryStore } from '../../src/rate-limit/limit-store.ts';
import { addressOf, portOf } from '../helper/address.ts';
import { newCompany, server, type TestCompany } from '../helper/fixtures.ts';

/** A client with a record of its requests and of the seconds that it wanted to wait before each retry. */
export interface Caller {
  readonly client: Client;
  readonly company: TestCompany;
  readonly sent: { readonly method: string; readonly path: string; readonly key: string | null }[];
  readonly pauses: number[];
}

interface Part extends Partial<ClientOptions> {
  readonly company?: TestCompany;
  readonly access?: Access;
  readonly of?: Environment;
}

/** A company's program with the typed client, over real sockets. Its clock advances only by its pauses, which take no real time. */
export async function newCaller({ company, access = 'write', of = 'sandbox', ...options }: Part = {}): Promise<Caller> {
  const owner = company ?? (await newCompany());
  const sent: Caller['sent'] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  const { fetch: send = fetch, sleep, ...rest } = options;
  const client = createClient({
    baseUrl: addressOf(server()),
    token: await owner.secret(of, access),
    fetch: (url, init) => {
      const key = new Headers(init.headers).get('idempotency-key');
      sent.push({ method: init.method ?? 'GET', path: new URL(url).pathname, key });
      return send(url, init);
    },
    sleep: async (milliseconds, signal) => {
      const end = nowMs + milliseconds;
      pauses.push(milliseconds / 1000);
      await sleep?.(milliseconds, signal);
      nowMs = Math.max(nowMs, end);
    },
    now: () => nowMs,
    ...rest,
  });
  return { client, company: owner, sent, pauses };
}

/** The service's minutes: the next one begins when a client has waited for it. */
export function minutes() {
  let current = memoryStore(60);
  const store: LimitStore = {
    kind: 'memory',
    add: (...given) => current.add(...given),
    read: (...given) => current.read(...given),
    addWithin: (...given) => current.addWithin(...given),
  };
  return { store, next: () => (current = memoryStore(60)) };
}

/** The VagaError that a call ends with. */
export async function refusalOf(call: Promise<unknown>): Promise<VagaError> {
  const thrown: unknown = await call.catch((error) => error);
  if (thrown instanceof VagaError) return thrown;
  throw new Error(`expected a VagaError, got ${thrown}`);
}

interface GatewayAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const fronts: http.Server[] = [];
after(() => {
  for (const front of fronts) front.close().closeAllConnections();
});

/** The address of a reverse proxy that first gives each of these answers once, and then passes requests on to the service. */
export async function gateway(...answers: GatewayAnswer[]): Promise<string> {
  const target = portOf(server());
  const front = http.createServer((request, response) => {
    const own = answers.shift();
    const { method, url, headers } = request;
    if (own) return request.resume() && response.writeHead(own.status, own.headers).end(own.body);
    const onward = http.request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(onward);
  });
  fronts.push(front);
  await once(front.listen(0, '127.0.0.1'), 'listening');
  return addressOf(front);
}
