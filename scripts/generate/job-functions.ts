import type { JsonObject } from './document.ts';
import { isNullableColumn, jobFieldsOf } from './job-fields.ts';
import { writeBetweenMarks } from './job-model.ts';

/** The text of functions.sql with the lines that name the fields of a job. */
export function renderJobFunctions(sql: string, document: JsonObject): string {
  const fields = jobFieldsOf(document);
  const defaults = fields
    .filter((field) => field.kind === 'boolean' && !isNullableColumn(field))
    .map(({ name, schema }) => `made.${name} := coalesce(made.${name}, ${schema['x-default']});`);
  const columns = fields.map(({ name }) => `${name} = job.${name}`);
  const withDefaults = writeBetweenMarks(sql, '-- ', 'defaults', '\n', defaults);
  return writeBetweenMarks(withDefaults, '-- ', 'fields', ',\n', columns);
}
