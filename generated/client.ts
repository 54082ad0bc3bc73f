// Written by `npm run generate` from openapi.yaml; not to be edited.
import type { Client as Api } from 'openapi-fetch';
import { bodyOf, type CallOptions, type ChangeOptions, type CreateOptions, dataOf, ifMatchOf, signalOf } from '../src/client/call.ts';
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
  getAccount(call?: CallOptions): Promise<Received<'getAccount'>['data']>;
  /** List the categories. */
  listCategories(call?: CallOptions): Promise<Received<'listCategories'>['data']>;
  /** List the regions. */
  listRegions(call?: CallOptions): Promise<Received<'listRegions'>['data']>;
  /** List the regions (alias). */
  listDistricts(call?: CallOptions): Promise<Received<'listDistricts'>['data']>;
  /** List the accepted values. */
  listOptions(call?: CallOptions): Promise<Received<'listOptions'>['data']>;
  /** List the company's jobs. */
  listJobs(query?: Query<'listJobs'>, call?: CallOptions): Promise<Received<'listJobs'>>;
  /** Create a job. */
  createJob(body: Sent<'createJob'>, call?: CreateOptions): Promise<Received<'createJob'>['data']>;
  /** Read a job. */
  getJob(id: Path<'getJob'>['id'], call?: CallOptions): Promise<Received<'getJob'>['data']>;
  /** Change a job. */
  updateJob(id: Path<'updateJob'>['id'], body: Sent<'updateJob'>, call?: ChangeOptions): Promise<Received<'updateJob'>['data']>;
  /** Withdraw a job. */
  withdrawJob(id: Path<'withdrawJob'>['id'], call?: ChangeOptions): Promise<void>;
}

/** The maximum values of query parameters. */
export const maxima = {"listJobs":{"page":1000000000,"per_page":100}} as const;

/** What the fields of a job are that it was created without. */
export const emptyFields = {"contact_email":null,"contact_phone":null,"external_application_url":null,"requirements":null,"salary_benefits":null,"remote_policy":null,"valid_until":null,"salary_min":null,"salary_max":null,"salary_negotiable":false,"salary_type":null,"experience_years":null,"education_details":null,"professional_requirements":null,"language_requirements":null,"contract_type":null,"work_modality":null,"education_level":null} as const;

/** The fields of a job whose HTML the service rewrites. */
export const htmlFields: readonly string[] = ["body"];

export const operationsOver = (api: Api<paths>): Operations => ({
  getAccount: async (call) => dataOf(api.GET('/account', { ...signalOf(call) })),
  listCategories: async (call) => dataOf(api.GET('/categories', { ...signalOf(call) })),
  listRegions: async (call) => dataOf(api.GET('/regions', { ...signalOf(call) })),
  listDistricts: async (call) => dataOf(api.GET('/districts', { ...signalOf(call) })),
  listOptions: async (call) => dataOf(api.GET('/options', { ...signalOf(call) })),
  listJobs: async (query = {}, call) => bodyOf(api.GET('/jobs', { params: { query }, ...signalOf(call) })),
  createJob: async (body, { idempotencyKey = crypto.randomUUID(), ...call } = {}) => dataOf(api.POST('/jobs', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body, ...signalOf(call) })),
  getJob: async (id, call) => dataOf(api.GET('/jobs/{id}', { params: { path: { id } }, ...signalOf(call) })),
  updateJob: async (id, body, call) => dataOf(api.PATCH('/jobs/{id}', { params: { path: { id }, header: ifMatchOf(call) }, body, ...signalOf(call) })),
  withdrawJob: async (id, call) => bodyOf(api.DELETE('/jobs/{id}', { params: { path: { id }, header: ifMatchOf(call) }, ...signalOf(call) })),
});
