export type { CallOptions, Client, ClientOptions, CreateOptions } from './client.ts';
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
export { createClient } from './create-client.ts';
export { VagaError } from './vaga-error.ts';
