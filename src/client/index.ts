export { etagOfJob as etagOf } from '../domain/job-version.ts';
export type { Call, CallOptions, ChangeOptions, CreateOptions, ResponseOf } from './call.ts';
export { type Changes, type Client, type ClientOptions, createClient } from './client.ts';
export type {
  Account,
  Category,
  Environment,
  Job,
  JobInput,
  JobPage,
  JobPatch,
  JobQuery,
  JobStatus,
  Options,
  Reason,
  Region,
} from './contract.ts';
export { inputOf } from './input-of.ts';
export type { Retry } from './retrying-fetch.ts';
export { type OwnJob, type SyncOptions, type SyncStep, TooManyWithdrawals } from './sync.ts';
export { VagaError } from './vaga-error.ts';
