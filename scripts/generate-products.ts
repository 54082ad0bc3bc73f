import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { checkContract } from './check-contract.ts';
import { renderClient } from './generate-client.ts';
import { renderContract } from './generate-contract.ts';
import { type JsonObject, readDocument } from './generate-document.ts';
import { renderJobFields } from './generate-job-fields.ts';
import { renderOperations } from './generate-operations.ts';
import { renderLlms, renderReference } from './generate-reference.ts';
import { renderTools } from './generate-tools.ts';

/** The text of every committed file under generated/, by name, from the text of openapi.yaml. */
export async function renderProducts(yaml: string): Promise<Map<string, string>> {
  const document = readDocument(yaml);
  checkContract(document);
  return new Map([
    ['openapi.ts', await renderTypes(document)],
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['contract.json', renderContract(document)],
    ['mcp-tools.json', renderTools(document)],
    ['reference.json', renderReference(document)],
    ['llms.txt', renderLlms(document)],
    ['job-fields.ts', renderJobFields(document)],
    ['client.ts', renderClient(document)],
    ['operations.ts', await renderOperations(document)],
  ]);
}

async function renderTypes(document: JsonObject): Promise<string> {
  // The library changes what it is given, and has its own name for the same JSON.
  const source = structuredClone(document) as unknown as OpenAPI3;
  const nodes = await openapiTS(source, { emptyObjectsUnknown: true, silent: true });
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.\n\n${astToString(nodes)}`;
}
