import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { checkContract } from './check-contract.ts';
import { renderClient } from './client.ts';
import { asObject, dereference, hasNames, isObject, type Json, type JsonObject } from './document.ts';
import { renderJobFields } from './job-fields.ts';
import { renderOperations } from './operations.ts';
import { renderLlms, renderReference } from './reference.ts';
import { renderTools } from './tools.ts';

/** The text of every committed file under generated/, by name. Throws a ContractError. */
export async function renderProducts(document: JsonObject): Promise<Map<string, string>> {
  checkContract(document);
  return new Map([
    ['openapi.ts', await renderTypes(document)],
    ['openapi.json', jsonText(document)],
    ['contract.json', jsonText(contractOf(document))],
    ['mcp-tools.json', renderTools(document)],
    ['reference.json', jsonText(renderReference(document))],
    ['llms.txt', renderLlms(document)],
    ['job-fields.ts', renderJobFields(document)],
    ['client.ts', renderClient(document)],
    ['operations.ts', await renderOperations(document)],
  ]);
}

const jsonText = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`;

async function renderTypes(document: JsonObject): Promise<string> {
  // The library changes what it is given, and has its own name for the same JSON.
  const source = structuredClone(document) as unknown as OpenAPI3;
  const nodes = await openapiTS(source, { emptyObjectsUnknown: true, silent: true });
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.\n\n${astToString(nodes)}`;
}

/** What only people or other products read: the runtime loads less without it. openapi.json has it all. */
const unused = new Set('description summary example examples externalDocs tags readOnly'.split(' '));

/** contract.json: the document without `$ref`s and prose, as openapi-backend's router and validator take it. */
function contractOf(document: JsonObject): JsonObject {
  const contract = dereference(document);
  const { schemas, securitySchemes } = asObject(contract.components, 'components');
  const components = { ...(schemas && { schemas }), ...(securitySchemes && { securitySchemes }) };
  return asObject(withoutUnused({ ...contract, components }, false), 'contract.json');
}

/** Extensions reach the service as generated code, but for the scope. */
const isExtension = (key: string): boolean => key.startsWith('x-') && key !== 'x-scope';

function withoutUnused(value: Json, keysAreNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutUnused(item, false));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => keysAreNames || !(unused.has(key) || isExtension(key)));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutUnused(inner, hasNames(key, keysAreNames))]));
}
