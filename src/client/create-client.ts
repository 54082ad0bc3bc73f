import { allJobs } from './all-jobs.ts';
import type { CallOptions, Client, ClientOptions } from './client.ts';
import { connect } from './connect.ts';
import type { OperationId } from './contract.ts';
import { VagaError } from './vaga-error.ts';

/** What a call of openapi-fetch resolves to; refusals were thrown before. */
type Answered<T> = Promise<{ data?: T }>;

async function bodyOf<T>(answered: Answered<T>): Promise<T> {
  try {
    // Each operation but withdrawJob answers with a body, by the contract.
    return (await answered).data as T;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new VagaError('The answer is no JSON; something other than the service gave it.', { status: 0, cause });
  }
}

const dataOf = async <T>(answered: Answered<{ data: T }>): Promise<T> => (await bodyOf(answered)).data;

const heeding = ({ signal }: CallOptions = {}) => ({ signal: signal ?? null });

/** A client of one company in one environment. Throws a TypeError where `baseUrl` is no address or the token no header. */
export function createClient(options: ClientOptions): Client {
  const api = connect(options);
  const at = (id: number) => ({ params: { path: { id } } });
  const listJobs: Client['listJobs'] = (query = {}, call) =>
    bodyOf(api.GET('/jobs', { params: { query }, ...heeding(call) }));
  return {
    getAccount: (call) => dataOf(api.GET('/account', heeding(call))),
    listCategories: (call) => dataOf(api.GET('/categories', heeding(call))),
    listRegions: (call) => dataOf(api.GET('/regions', heeding(call))),
    listDistricts: (call) => dataOf(api.GET('/districts', heeding(call))),
    listOptions: (call) => dataOf(api.GET('/options', heeding(call))),
    listJobs,
    allJobs: (query = {}, call) => allJobs((page) => listJobs(page, call), query),
    createJob: (body, { idempotencyKey = crypto.randomUUID(), ...call } = {}) => {
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      return dataOf(api.POST('/jobs', { params, body, ...heeding(call) }));
    },
    getJob: (id, call) => dataOf(api.GET('/jobs/{id}', { ...at(id), ...heeding(call) })),
    updateJob: (id, body, call) => dataOf(api.PATCH('/jobs/{id}', { ...at(id), body, ...heeding(call) })),
    withdrawJob: (id, call) => bodyOf(api.DELETE('/jobs/{id}', { ...at(id), ...heeding(call) })),
  } satisfies Client & Record<OperationId, unknown>;
}
