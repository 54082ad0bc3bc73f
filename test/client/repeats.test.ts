import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { expect } from 'chai';
import { sleep } from '../../src/client/abortable-waits.ts';
import { addressOf, portOf } from '../helper/address.ts';
import { server, startApp } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { times, until } from '../helper/times.ts';
import { type Caller, gateway, minutes, newCaller, refusalOf } from './caller.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A client whose connections run through a proxy that can fail. */
async function behindProxy(
  options: Parameters<typeof newCaller>[0],
  test: (proxy: TcpProxy, caller: Caller) => Promise<void>,
): Promise<void> {
  const proxy = await TcpProxy.to({ host: '127.0.0.1', port: portOf(server()) });
  try {
    await test(proxy, await newCaller({ baseUrl: `http://127.0.0.1:${proxy.port}`, ...options }));
  } finally {
    proxy.close();
  }
}

describe('typed client: a connection that breaks', () => {
  it('a create whose response breaks off creates one job, wherever it breaks off', () =>
    behindProxy({}, async (proxy, { client, sent }) => {
      const jobs = [];
      for (const bytes of [0, 40, 900]) {
        sent.length = 0;
        proxy.loseAnswer(bytes);
        jobs.unshift(await client.createJob(minimalJob));
        expect(sent.map(({ method }) => method)).to.deep.equal(['POST', 'POST']);
        expect(sent[0]?.key).to.match(uuid).and.equal(sent[1]?.key);
        expect((await client.listJobs()).data).to.deep.equal(jobs);
      }
    }));

  it('a create without a response succeeds later with the key from its error', () =>
    behindProxy({ retries: 0 }, async (proxy, { client }) => {
      proxy.loseAnswer();
      const { idempotencyKey } = await refusalOf(client.createJob(minimalJob));
      const job = await client.createJob(minimalJob, { idempotencyKey });
      expect((await client.listJobs()).data).to.deep.equal([job]);
    }));

  it('updates, withdrawals and reads are retried as well', () =>
    behindProxy({}, async (proxy, { client, sent }) => {
      const { id } = await client.createJob(minimalJob);
      sent.length = 0;
      proxy.loseAnswer();
      expect((await client.updateJob(id, { title: 'Canalizador' })).title).to.equal('Canalizador');
      proxy.loseAnswer();
      await client.withdrawJob(id);
      proxy.loseAnswer();
      expect(await client.getJob(id)).to.include({ title: 'Canalizador', status: 'inactive' });
      const methods = sent.map(({ method }) => method);
      expect(methods).to.deep.equal(['PATCH', 'PATCH', 'DELETE', 'DELETE', 'GET', 'GET']);
    }));

  it('an attempt that times out is retried', () =>
    behindProxy({}, async (proxy, { client, company }) => {
      const held = { company, baseUrl: `http://127.0.0.1:${proxy.port}` };
      proxy.hold();
      const once = await newCaller({ ...held, retries: 0, timeoutSeconds: 0.1 });
      expect((await refusalOf(once.client.getAccount())).cause).to.include({ name: 'TimeoutError' });
      const patient = await newCaller({ ...held, timeoutSeconds: 1, sleep: async () => proxy.open() });
      const job = await patient.client.createJob(minimalJob);
      expect(patient.pauses).to.not.deep.equal([]);
      expect((await client.listJobs()).data).to.deep.equal([job]);
    }));
});

/** Each pause counts as a new minute: requests go to an app with its own counters over the same database. */
const minuteByMinute = (first: Server, next: Server) => {
  const asked: number[] = [];
  let current = addressOf(first);
  const send = async (url: string, init: RequestInit) => {
    const response = await fetch(url.replace(addressOf(first), current), init);
    if (response.status === 429) asked.push(Number(response.headers.get('retry-after')));
    return response;
  };
  const pause = async () => {
    current = addressOf(next);
  };
  return { asked, baseUrl: addressOf(first), fetch: send, sleep: pause };
};

describe('typed client: many calls at once', () => {
  it('300 from one address all succeed', async () => {
    const at = await startApp({ REQUESTS_PER_MINUTE: '1000', MAX_IN_FLIGHT: '2000' });
    const { client, sent } = await newCaller({ baseUrl: addressOf(at), retries: 0, concurrency: 300 });
    await Promise.all(times(300, () => client.getAccount()));
    expect(sent).to.have.length(300);
  });

  it('60 at 20 a minute all succeed, eight at a time, without a failed attempt', async () => {
    const minute = minutes();
    const at = await startApp({ REQUESTS_PER_MINUTE: '20' }, { limitStore: minute.store });
    let [open, mostOpen, refused] = [0, 0, 0];
    const send = async (url: string, init: RequestInit) => {
      mostOpen = Math.max(mostOpen, ++open);
      const response = await fetch(url, init).finally(() => open--);
      if (response.status === 429) refused++;
      return response;
    };
    const pause = async () => void minute.next();
    const { client } = await newCaller({ baseUrl: addressOf(at), retries: 0, fetch: send, sleep: pause });
    expect(await Promise.all(times(60, () => client.getAccount()))).to.have.length(60);
    expect(mostOpen).to.equal(8);
    // At most the calls in flight in each of three minutes.
    expect(refused).to.be.within(1, 24);
  });

  it('one call that waits for the limit delays the others until then', async () => {
    const { baseUrl, ...minutes } = minuteByMinute(await startApp({ REQUESTS_PER_MINUTE: '2' }), server());
    const pausing = new EventEmitter();
    const [one, three] = [once(pausing, '1'), once(pausing, '3')];
    const pause = async () => {
      pausing.emit(String(pauses.length));
      await three;
      await minutes.sleep();
    };
    const { client, sent, pauses } = await newCaller({ baseUrl, ...minutes, sleep: pause });
    await client.getAccount();
    await client.getAccount();
    const first = client.getAccount();
    await one;
    const later = times(2, () => client.getAccount());
    await three;
    expect(sent).to.have.length(3);
    await Promise.all([first, ...later]);
    expect(sent).to.have.length(6);
    expect(new Set(pauses).size).to.equal(1);
  });

  it('the next call in the queue runs after a failure, and calls may be made while jobs are listed', async () => {
    const { client, sent } = await newCaller({ concurrency: 1 });
    const ids = [await client.createJob(minimalJob), await client.createJob(minimalJob)].map(({ id }) => id);
    const calls = [999_999_999, ...ids].map((id) => client.getJob(id));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled']);
    expect(sent.slice(2).map(({ path }) => Number(path.split('/').pop()))).to.deep.equal([999_999_999, ...ids]);
    const read: number[] = [];
    for await (const { id } of client.allJobs({ per_page: 1 })) read.push((await client.getJob(id)).id);
    expect(read.reverse()).to.deep.equal(ids);
  });
});

describe('typed client: Retry-After', () => {
  it('after a 429, waits as long as Retry-After says, then succeeds', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '2' });
    const { asked, ...options } = minuteByMinute(limited, server());
    const { client, sent, pauses } = await newCaller(options);
    for (let n = 0; n < 3; n++) await client.createJob(minimalJob);
    expect([pauses.length, asked.length, sent.length]).to.deep.equal([1, 1, 4]);
    const [seconds = 0] = asked;
    expect(seconds).to.be.within(1, 60);
    expect(pauses[0]).to.be.within(seconds, seconds + 0.5);
    expect((await client.listJobs()).meta.total).to.equal(3);
  });

  it('a 429 is thrown with the seconds to wait if a call would wait too long in total or in one pause', async () => {
    for (const [settings, requests] of [
      [{ limitWaitSecondsMax: 100, retries: 0 }, 3],
      [{ limitWaitSecondsMax: 5 }, 2],
      [{ pauseSecondsMax: 5 }, 2],
    ] as const) {
      const limited = await startApp({ REQUESTS_PER_MINUTE: '1' });
      const { client, sent } = await newCaller({ baseUrl: addressOf(limited), ...settings });
      await client.getAccount();
      const error = await refusalOf(client.getAccount());
      expect(error).to.include({ status: 429, reason: 'company' });
      expect(error.retryAfterSeconds).to.equal(error.details.retry_after_seconds).and.within(6, 60);
      expect(sent).to.have.length(requests);
    }
  });

  it('5xx is retried after growing pauses, or after Retry-After in seconds or as a date', async () => {
    const dates = { Date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'Retry-After': 'Sat, 21 Nov 2026 10:00:30 GMT' };
    const baseUrl = await gateway(
      { status: 500 },
      { status: 502 },
      { status: 504 },
      { status: 503, headers: { 'Retry-After': '7' } },
      { status: 503, headers: dates },
      { status: 503, headers: { 'Retry-After': 'soon' } },
      { status: 503, headers: { 'Retry-After': '7x' } },
      { status: 503, headers: { 'Retry-After': 'x7' } },
      { status: 503, headers: { ...dates, 'Retry-After': '2026-11-21T10:00:05' } },
    );
    const { client, pauses, sent } = await newCaller({ baseUrl, retries: 9 });
    const job = await client.createJob(minimalJob);
    const longest = [0.5, 1, 2, 7.5, 30.5, 16, 32, 60, 60];
    const shortest = [0.25, 0.5, 1, 7, 30, 8, 16, 30, 30];
    expect(pauses).to.have.length(9);
    for (const [n, pause] of pauses.entries()) expect(pause, `${n}`).to.be.within(shortest[n] ?? 0, longest[n] ?? 0);
    expect(new Set(sent.map(({ key }) => key)).size).to.equal(1);
    expect((await client.listJobs()).data).to.deep.equal([job]);
  });
});

describe('typed client: abort', () => {
  it('before the request is sent', async () => {
    const { client, sent } = await newCaller();
    const reason = new Error('not today');
    const thrown = await client.getAccount({ signal: AbortSignal.abort(reason) }).catch((error) => error);
    expect(thrown).to.equal(reason);
    expect(sent).to.deep.equal([]);
  });

  it('while waiting for the response', () =>
    behindProxy({}, async (proxy, { client, sent, pauses }) => {
      proxy.hold();
      const stop = new AbortController();
      const call = client.createJob(minimalJob, { signal: stop.signal });
      await until(() => sent.length > 0);
      stop.abort();
      expect(await call.catch((error) => error)).to.include({ name: 'AbortError' });
      expect([sent.length, pauses.length]).to.deep.equal([1, 0]);
    }));

  it('in the queue, which continues with the others', () =>
    behindProxy({ concurrency: 1 }, async (proxy, { client, sent }) => {
      proxy.hold();
      const stop = new AbortController();
      const first = client.getAccount();
      const second = client.getAccount({ signal: stop.signal });
      const third = client.getAccount();
      const reason = new Error('not today');
      stop.abort(reason);
      for (const call of [second, client.getAccount({ signal: stop.signal })])
        expect(await call.catch((error) => error)).to.equal(reason);
      proxy.open();
      expect(await first).to.deep.equal(await third);
      expect(sent).to.have.length(2);
    }));

  it('during a pause, which ends at once', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '1' });
    const stop = new AbortController();
    const pause = (milliseconds: number, signal: AbortSignal) => {
      setImmediate(() => stop.abort());
      return sleep(milliseconds, signal);
    };
    const { client, sent } = await newCaller({ baseUrl: addressOf(limited), sleep: pause });
    await client.getAccount();
    const call = client.allJobs({}, { signal: stop.signal }).next();
    expect(await call.catch((error) => error)).to.include({ name: 'AbortError' });
    expect(sent).to.have.length(2);
  });
});
