import type { OpenAPIV3 } from 'openapi-types';
import { document } from '../../../src/contract/document.ts';

/** The PostgreSQL type of a field of the contract. */
function columnType({ type, format }: OpenAPIV3.SchemaObject): string {
  if (format === 'date') return 'date';
  return { integer: 'int', number: 'numeric', boolean: 'boolean', array: 'jsonb' }[type as string] ?? 'text';
}

const input = document.components?.schemas?.JobInput as OpenAPIV3.SchemaObject;

/** The columns of a job that a caller writes, by name. */
export const jobColumns: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(input.properties ?? {}).map(([name, schema]) => [name, columnType(schema as OpenAPIV3.SchemaObject)]),
);
