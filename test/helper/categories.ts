import type { Response } from 'supertest';
import { clock } from './fixtures.ts';
import type { Headers, RestClient } from './rest-client.ts';

let reads = 0;

/** GET /categories at a later time on each call, so that no cached list answers. */
export async function categoriesNow(reader: RestClient, headers: Headers = {}): Promise<Response> {
  clock.aheadMs = ++reads * 2000;
  try {
    return await reader.get('/categories', headers);
  } finally {
    clock.aheadMs = 0;
  }
}
