import { decimalFields, inputFields } from '../../generated/client.ts';
import type { Job, JobInput } from './contract.ts';

/** Returns a job's fields as `createJob` accepts them. The service refuses the copy if the job's last day has passed. */
export function inputOf(job: Job): JobInput {
  const fields = inputFields.map((name) => {
    const value = job[name];
    return [name, typeof value === 'string' && decimalFields.includes(name) ? Number(value) : value];
  });
  return Object.fromEntries(fields);
}
