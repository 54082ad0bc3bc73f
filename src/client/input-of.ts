import { decimalFields, inputFields } from '../../generated/client.ts';
import type { Job, JobInput } from './contract.ts';

/** The fields of a job as `createJob` takes them. The service refuses the copy if its last day has passed. */
export function inputOf(job: Job): JobInput {
  const fields = inputFields.map((name) => {
    const value = job[name];
    return [name, typeof value === 'string' && decimalFields.includes(name) ? Number(value) : value];
  });
  return Object.fromEntries(fields);
}
