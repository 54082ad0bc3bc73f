import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { renderClient } from './client.ts';
import {
  asObject,
  dereference,
  hasNames,
  identifierOf,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  operationsOf,
  valueAt,
} from './document.ts';
import { isRead } from './keywords.ts';
import { renderLlms, renderReference } from './reference.ts';
import { renderStoredFields } from './stored-fields.ts';
import { renderTools } from './tools.ts';

/** The text of every committed file under generated/, by name. Throws a ContractError. */
export async function renderProducts(document: JsonObject): Promise<Map<string, string>> {
  const served = withToolResponses(document);
  return new Map([
    ['openapi.ts', await renderTypes(served)],
    ['openapi.json', jsonText(document)],
    ['contract.json', jsonText(contractOf(served))],
    ['mcp-tools.json', renderTools(document)],
    ['reference.json', jsonText(renderReference(document))],
    ['llms.txt', renderLlms(document)],
    ['stored-fields.ts', renderStoredFields(document)],
    ['client.ts', renderClient(document)],
    ['operations.ts', await renderOperations(document)],
  ]);
}

/**
 * Adds to the responses, under the key `x-mcp`, what a tool returns where HTTP has no body. Our types and tests use it; other programs do not
 * read that key as a status.
 */
function withToolResponses(document: JsonObject): JsonObject {
  const served = structuredClone(document);
  for (const { operation } of operationsOf(served)) {
    const { response } = isObject(operation['x-mcp']) ? operation['x-mcp'] : {};
    if (response) objectAt(operation, 'responses')['x-mcp'] = response;
  }
  return served;
}

const jsonText = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`;

async function renderTypes(document: JsonObject): Promise<string> {
  // The library modifies its input, and has its own type for the same JSON.
  const source = structuredClone(document);
  // These descriptions would become comments that nobody reads, and make up half of the client's package.
  const { headers = {}, responses = {} } = objectAt(source, 'components');
  const parts = [...Object.values(headers ?? {}), ...Object.values(responses ?? {})].map((part) => objectAt(part));
  for (const part of [...parts, ...operationsOf(source).map(({ operation }) => operation)]) delete part.description;
  for (const [object] of objectsIn(source, [])) delete object.example;
  // The library treats a header behind a $ref as required.
  for (const [{ headers: own }] of objectsIn(source, []))
    for (const [name, header] of Object.entries(isObject(own) ? own : {})) {
      const target = valueAt(headers, String(valueAt(header, '$ref')).replace('#/components/headers/', ''));
      if (isObject(own) && isObject(target) && target.required !== true) own[name] = { ...target };
    }
  const nodes = await openapiTS(source as unknown as OpenAPI3, { emptyObjectsUnknown: true, silent: true });
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.\n\n${astToString(nodes)}${renderDefaults(document)}`;
}

/** The type of the names of the parameters that have a default, which the service gives to the operation's function. */
function renderDefaults(document: JsonObject): string {
  const lines = operationsOf(dereference(document)).map(({ operationId, parameters }) => {
    const places = ['query', 'header'].map((place) => {
      const found = parameters.filter((one) => one.in === place && valueAt(one, 'schema', 'default') !== undefined);
      return `${place}: ${found.map(({ name }) => JSON.stringify(name)).join(' | ') || 'never'}`;
    });
    return `    ${JSON.stringify(operationId)}: { ${places.join('; ')} };\n`;
  });
  return `export interface ParameterDefaults {\n${lines.join('')}}\n`;
}

/** contract.json: the document without `$ref`s and prose, as openapi-backend's validator takes it. */
function contractOf(document: JsonObject): JsonObject {
  const contract = dereference(document);
  const { schemas = {} } = asObject(contract.components, 'components');
  const paths: JsonObject = {};
  // The validator does not know parameters of a whole path, so each operation gets them.
  for (const { path, method, operation, parameters } of operationsOf(contract)) {
    const { parameters: _, ...shared } = objectAt(contract, 'paths', path);
    paths[path] = {
      ...shared,
      ...asObject(paths[path] ?? {}, path),
      [method]: { ...operation, parameters: [...parameters] },
    };
  }
  return asObject(withoutUnused({ ...contract, paths, components: { schemas } }, false), 'contract.json');
}

/** Drops the keywords that only people or other generated files need, so that the service loads less. openapi.json has all keywords. */
function withoutUnused(value: Json, keysAreNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutUnused(item, false));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => keysAreNames || isRead(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutUnused(inner, hasNames(key, keysAreNames))]));
}

/**
 * Returns the text of operations.ts: the function of each operationId, and its `refuse` if there is one, imported from the file under
 * src/operations that exports it. A missing operation is imported from the file that should have it, so that the compiler names that file.
 */
async function renderOperations(document: JsonObject): Promise<string> {
  const exported = await exportsBelow(join(packageRoot, 'src/operations'));
  const ids = operationsOf(document).map(({ operationId }) => operationId);
  const found = ids.map((operationId) => {
    const id = identifierOf(operationId);
    const path =
      exported.get(id) ??
      join(packageRoot, 'src/operations', `${id.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}.ts`);
    const refuse = `refuse${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    return {
      key: /^[a-z]\w*$/i.test(operationId) ? operationId : JSON.stringify(operationId),
      id,
      file: relative(join(packageRoot, 'generated'), path).split(sep).join('/'),
      refuse: exported.has(refuse) ? `, refuse: ${refuse}` : '',
      names: exported.has(refuse) ? `${id}, ${refuse}` : id,
    };
  });
  const imports = found.map(({ names, file }) => `import { ${names} } from '${file}';`);
  const lines = found.map(({ key, id, refuse }) => `  ${key}: { run: ${id}${refuse} },`);
  return `// Written by \`npm run generate\` from openapi.yaml and src/operations; not to be edited.
${imports.join('\n')}

/** The operations of the contract by operationId. */
export const operations = {
${lines.join('\n')}
};
`;
}

/** Returns, by operation of the contract, the file below a folder that exports it. Skips exports that only pages and commands use. */
async function exportsBelow(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(path, { recursive: true })) {
    if (!/(?<!-sql|^table)\.ts$/.test(name)) continue;
    const text = await readFile(join(path, name), 'utf8');
    for (const { index, 1: id = '' } of text.matchAll(
      /^export (?:async )?(?:function|const) ([\p{ID_Continue}$]+)/gmu,
    )) {
      const [declared = ''] = text.slice(index).split(/[{;]$/m);
      if (/\b(ApiContext|Reply<)/.test(declared)) found.set(id, join(path, name));
    }
  }
  return found;
}
