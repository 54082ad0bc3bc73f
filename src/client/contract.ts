import type { components, operations } from '../../generated/openapi.ts';

type Schemas = components['schemas'];

export type Environment = 'sandbox' | 'production';

export type Account = Schemas['Account'];
export type Category = Schemas['Category'];
export type Region = Schemas['Region'];
export type Options = Schemas['Options'];
export type Job = Schemas['Job'];
export type JobInput = Schemas['JobInput'];
export type JobPatch = Schemas['JobPatch'];
export type JobStatus = Schemas['JobStatus'];
export type JobQuery = NonNullable<operations['listJobs']['parameters']['query']>;
export type JobPage = operations['listJobs']['responses'][200]['content']['application/json'];

/** The contract's reasons; later versions may add others. */
export type Reason =
  | { [S in keyof Schemas]: Schemas[S] extends { error: { details: { reason: infer R } } } ? R : never }[keyof Schemas]
  | (string & {});
