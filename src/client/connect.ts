import createApi, { type Client as Api } from 'openapi-fetch';
import type { paths } from '../../generated/openapi.ts';
import type { ClientOptions } from './client.ts';
import { persistentFetch } from './persistent-fetch.ts';
import { sleep } from './sleep.ts';

/** The contract's paths at the address of one environment. Throws a TypeError where the options cannot make a request. */
export function connect(options: ClientOptions): Api<paths> {
  const { baseUrl, token, retries = 4, timeoutSeconds = 30, pauseSecondsMax = 60 } = options;
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must begin with http: or https:');
  const { environment = token.startsWith('vaga_live_') ? 'production' : 'sandbox' } = options;
  return createApi<paths>({
    baseUrl: baseUrl.replace(/\/+$/, '') + (environment === 'production' ? '/v1' : '/sandbox/v1'),
    headers: new Headers({ Authorization: `Bearer ${token}`, Accept: 'application/json' }),
    fetch: persistentFetch({
      // Looked up at each call, so that a program may replace the global later.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      sleep: options.sleep ?? sleep,
      retries,
      timeoutSeconds,
      pauseSecondsMax,
    }),
  });
}
