// Written by `npm run generate` from openapi.yaml; not to be edited.
import type { Client as Api } from 'openapi-fetch';
import { bodyOf, type Call, type CallOptions, type ChangeOptions, type CreateOptions, dataOf, ifMatchOf } from '../src/client/call.ts';
import type { operations, paths } from './openapi.ts';

type Path<O extends keyof operations> = NonNullable<operations[O]['parameters']['path']>;
type Query<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never;
type Sent<O extends keyof operations> = Json<NonNullable<operations[O]['requestBody']>>;
type Received<O extends keyof operations> = Json<
  operations[O]['responses'][keyof operations[O]['responses'] & (200 | 201 | 202)]
>;

/** The contract's operations by operationId. Each throws a VagaError if the service refuses it or does not answer. */
export interface Operations {
  /** Get the plan and posting quota. */
  getAccount(call?: CallOptions): Call<Received<'getAccount'>['data']>;
  /** List the categories. */
  listCategories(call?: CallOptions): Call<Received<'listCategories'>['data']>;
  /** List the regions. */
  listRegions(call?: CallOptions): Call<Received<'listRegions'>['data']>;
  /** List the regions (alias). */
  listDistricts(call?: CallOptions): Call<Received<'listDistricts'>['data']>;
  /** List the accepted values. */
  listOptions(call?: CallOptions): Call<Received<'listOptions'>['data']>;
  /** List the company's jobs. */
  listJobs(query?: Query<'listJobs'>, call?: CallOptions): Call<Received<'listJobs'>>;
  /** Create a job. */
  createJob(body: Sent<'createJob'>, call?: CreateOptions): Call<Received<'createJob'>['data']>;
  /** Read a job. */
  getJob(id: Path<'getJob'>['id'], call?: CallOptions): Call<Received<'getJob'>['data']>;
  /** Change a job. */
  updateJob(id: Path<'updateJob'>['id'], body: Sent<'updateJob'>, call?: ChangeOptions): Call<Received<'updateJob'>['data']>;
  /** Withdraw a job. */
  withdrawJob(id: Path<'withdrawJob'>['id'], call?: ChangeOptions): Call<void>;
}

/** The maximum values of query parameters. */
export const maxima = {"listJobs":{"page":1000000000,"per_page":100}} as const;

/** The values of the optional fields that a create leaves out. */
export const emptyFields = {"contact_email":null,"contact_phone":null,"external_application_url":null,"requirements":null,"salary_benefits":null,"remote_policy":null,"valid_until":null,"salary_min":null,"salary_max":null,"salary_negotiable":false,"salary_type":null,"experience_years":null,"education_details":null,"professional_requirements":null,"language_requirements":null,"contract_type":null,"work_modality":null,"education_level":null} as const;

/** The fields that a create accepts. */
export const inputFields = ["title","body","contact_instructions","category_id","district_id","application_method","contact_email","contact_phone","external_application_url","requirements","salary_benefits","remote_policy","valid_until","salary_min","salary_max","salary_negotiable","salary_type","experience_years","education_details","professional_requirements","language_requirements","contract_type","work_modality","education_level"] as const;

/** The fields of a job that are numbers when sent and strings when received. */
export const decimalFields: readonly string[] = ["salary_min","salary_max"];

/** The fields of a job whose HTML the service rewrites. */
export const htmlFields: readonly string[] = ["body"];

/** How one call is sent. */
type Sending = (call?: CallOptions) => { signal: AbortSignal | null; fetch: (request: Request) => Promise<Response> };

export const operationsOver = (api: Api<paths>, sending: Sending): Operations => ({
  getAccount: (call) => dataOf(() => api.GET('/account', { ...sending(call) })),
  listCategories: (call) => dataOf(() => api.GET('/categories', { ...sending(call) })),
  listRegions: (call) => dataOf(() => api.GET('/regions', { ...sending(call) })),
  listDistricts: (call) => dataOf(() => api.GET('/districts', { ...sending(call) })),
  listOptions: (call) => dataOf(() => api.GET('/options', { ...sending(call) })),
  listJobs: (query = {}, call) => bodyOf(() => api.GET('/jobs', { params: { query }, ...sending(call) })),
  createJob: (body, { idempotencyKey = crypto.randomUUID(), ...call } = {}) => dataOf(() => api.POST('/jobs', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body, ...sending(call) })),
  getJob: (id, call) => dataOf(() => api.GET('/jobs/{id}', { params: { path: { id } }, ...sending(call) })),
  updateJob: (id, body, call) => dataOf(() => api.PATCH('/jobs/{id}', { params: { path: { id }, header: ifMatchOf(call) }, body, ...sending(call) })),
  withdrawJob: (id, call) => bodyOf(() => api.DELETE('/jobs/{id}', { params: { path: { id }, header: ifMatchOf(call) }, ...sending(call) })),
});
