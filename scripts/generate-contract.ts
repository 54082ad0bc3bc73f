import { asObject, dereference, isObject, type Json, type JsonObject } from './generate-document.ts';

// What only people or other products read; left out so that the runtime loads less. openapi.json has it all.
const UNUSED = new Set('description summary example examples externalDocs tags readOnly'.split(' '));

// Objects whose keys are names, so that a property called `description` is not taken for prose.
const NAME_MAPS = new Set('paths responses headers content properties patternProperties schemas'.split(' '));

/** Text of contract.json: the document without `$ref`s and prose, as openapi-backend's router and validator take it. */
export function renderContract(document: JsonObject): string {
  const contract = dereference(document);
  const { schemas, securitySchemes } = asObject(contract.components, 'components');
  const components = { ...(schemas && { schemas }), ...(securitySchemes && { securitySchemes }) };
  return `${JSON.stringify(withoutUnused({ ...contract, components }, false), null, 2)}\n`;
}

/** Extensions reach the service as generated code, but for the scope. */
const isExtension = (key: string): boolean => key.startsWith('x-') && key !== 'x-scope';

function withoutUnused(value: Json, keysAreNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutUnused(item, false));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => keysAreNames || !(UNUSED.has(key) || isExtension(key)));
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutUnused(inner, !keysAreNames && NAME_MAPS.has(key))]),
  );
}
