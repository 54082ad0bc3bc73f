import { readFile } from 'node:fs/promises';
import { asObject, dereference, type Json, type JsonObject, operationsOf, schemaOf } from './generate-document.ts';

/** What is different between the published document on disk and a new one, a line each: fields, operations, tools. */
export async function contractChanges(publishedFile: string, json: string): Promise<string[]> {
  const before = await readFile(publishedFile, 'utf8').catch(() => undefined);
  if (before === undefined || before === json) return [];
  const [older, newer] = [before, json].map((text) => dereference(asObject(JSON.parse(text), 'openapi.json')));
  if (!older || !newer) return [];
  return [
    ...differences('field', fieldsOf(older), fieldsOf(newer)),
    ...differences('operation', operationsIn(older, withoutTool), operationsIn(newer, withoutTool)),
    ...differences('tool', operationsIn(older, toolOf), operationsIn(newer, toolOf)),
  ];
}

const fieldsOf = (document: JsonObject): Map<string, Json> =>
  new Map(Object.entries(asObject(schemaOf(document, 'JobInput').properties, 'JobInput.properties')));

type Part = (operation: JsonObject) => Json | undefined;

const withoutTool: Part = ({ 'x-mcp': _tool, requestBody: _body, responses, ...operation }) => ({
  ...operation,
  statuses: Object.keys(asObject(responses, 'responses')),
});
const toolOf: Part = (operation) => operation['x-mcp'];

function operationsIn(document: JsonObject, part: Part): Map<string, Json> {
  const found = operationsOf(document).map(({ operationId, operation }) => [operationId, part(operation)] as const);
  return new Map(found.flatMap(([id, value]) => (value === undefined ? [] : [[id, value]])));
}

function differences(noun: string, before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): string[] {
  const added = [...after.keys()].filter((name) => !before.has(name)).map((name) => `${noun} added: ${name}`);
  const removed = [...before.keys()].filter((name) => !after.has(name)).map((name) => `${noun} removed: ${name}`);
  const changed = [...after]
    .filter(([name, value]) => before.has(name) && JSON.stringify(before.get(name)) !== JSON.stringify(value))
    .map(([name]) => `${noun} changed: ${name}`);
  return [...added, ...removed, ...changed];
}
