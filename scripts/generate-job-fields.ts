import type { JsonObject } from './generate-document.ts';
import { acceptedValues, type JobField, jobFieldsOf, optionsNameOf } from './job-fields.ts';

/** What the service needs of each field besides validation; the rest of a field's schema is validated by the contract. */
const kept: Readonly<Record<string, string>> = {
  maxLength: 'maxLength',
  'x-default': 'default',
  'x-visible': 'visible',
  'x-future': 'future',
  'x-https': 'https',
  'x-max-bytes': 'maxBytes',
  'x-decimals': 'decimals',
  'x-references': 'references',
  'x-required-when': 'requiredWhen',
  'x-at-least': 'atLeast',
};

/** Text of job-fields.ts: the fields of a job as code, for queries, rules and pages. */
export function renderJobFields(document: JsonObject): string {
  const entries = jobFieldsOf(document).map((field) => [field.name, described(field)] as const);
  const lines = entries.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.

/** The writable fields of a job, in the order of the contract. */
export const jobFields = {
${lines.join('\n')}
} as const;
`;
}

function described(field: JobField): object {
  const { kind, label, required, nullable, schema } = field;
  const rules = Object.entries(kept).flatMap(([key, name]) => (key in schema ? [[name, schema[key]]] : []));
  const isLong = kind === 'integer' && Number(schema.maximum) > 2_147_483_647 && !('x-references' in schema);
  const values = kind === 'enum' && { options: optionsNameOf(field), values: acceptedValues(field) };
  return { kind, label, required, nullable, ...(isLong && { long: true }), ...values, ...Object.fromEntries(rules) };
}
