import type { OpenAPIV3 } from 'openapi-types';
import { document } from './document.ts';
import type { Schemas } from './types.ts';

const input = (document.components as OpenAPIV3.ComponentsObject).schemas?.JobInput as OpenAPIV3.SchemaObject;

/** The values that a field of JobInput accepts, without the null that stands for no answer. */
function values(field: keyof Schemas['JobInput']): string[] {
  const schema = input.properties?.[field] as OpenAPIV3.NonArraySchemaObject;
  return (schema.enum ?? []).filter((value) => value !== null);
}

export const options: Schemas['Options'] = {
  contract_types: values('contract_type'),
  work_modalities: values('work_modality'),
  education_levels: values('education_level'),
  salary_types: values('salary_type'),
  application_methods: values('application_method'),
};
