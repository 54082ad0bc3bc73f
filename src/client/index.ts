export { etagOfJob as etagOf } from '../domain/job-version.ts';
export type { CallOptions, ChangeOptions, CreateOptions } from './call.ts';
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
export { type OwnJob, type SyncOptions, type SyncStep, TooManyWithdrawals } from './sync.ts';
export { VagaError } from './vaga-error.ts';
