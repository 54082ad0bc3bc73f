export { type CallOptions, type Client, type ClientOptions, type CreateOptions, createClient } from './client.ts';
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
export { VagaError } from './vaga-error.ts';
