import { jobFields } from '../../generated/job-fields.ts';
import type { Schemas } from './types.ts';

const enums = Object.values(jobFields).flatMap((field) => (field.kind === 'enum' ? [field] : []));

/** The accepted values of the enumerated fields. Both `Options` and `jobFields` are generated from the same fields. */
export const options = Object.fromEntries(
  enums.map(({ options, values }) => [options, [...values]]),
) as Schemas['Options'];
