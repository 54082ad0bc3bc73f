import type { Server } from 'node:http';
import supertest, { type Response } from 'supertest';
import { type Environment, policy } from '../../src/domain/environment.ts';
import { keptConnections } from './address.ts';
import { checkAnswer } from './contract-check.ts';

export type Headers = Readonly<Record<string, string>>;

let keys = 0;
/** An idempotency key that is unique in this run. */
export const freshKey = (): string => `key-${process.pid}-${++keys}`;

/** A REST client of one environment; every response is checked against the contract. */
export class RestClient {
  readonly #server: Server;
  readonly #base: string;
  readonly #headers: Headers;

  constructor(server: Server, environment: Environment, secret: string | undefined) {
    this.#server = server;
    this.#base = policy[environment].restBase;
    this.#headers = secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
  }

  get(path: string, headers: Headers = {}): Promise<Response> {
    return this.send('GET', path, undefined, headers);
  }

  /** Creates a job, with a fresh key unless one is given. */
  create(job: unknown, key: string = freshKey()): Promise<Response> {
    return this.send('POST', '/jobs', job, { 'Idempotency-Key': key });
  }

  patch(id: number | string, fields: unknown): Promise<Response> {
    return this.send('PATCH', `/jobs/${id}`, fields);
  }

  withdraw(id: number | string): Promise<Response> {
    return this.send('DELETE', `/jobs/${id}`);
  }

  /** A string or bytes are sent unchanged, anything else as JSON. */
  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Response> {
    const url = this.#base + path;
    const call = supertest(this.#server)[method.toLowerCase() as 'get'](url).agent(keptConnections);
    call.set('Accept', 'application/json').set(this.#headers).set(headers);
    if (body !== undefined) {
      if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type'))
        call.set('Content-Type', 'application/json');
      // supertest would send a Buffer as JSON.
      call.serialize((value: unknown) => value as string);
      call.send(typeof body === 'string' || Buffer.isBuffer(body) ? (body as object) : JSON.stringify(body));
    }
    const response = await call;
    const [pathOnly = ''] = url.split('?');
    checkAnswer({
      method,
      path: pathOnly,
      status: response.status,
      headers: response.headers,
      body: response.body,
      text: response.text ?? '',
    });
    return response;
  }
}
