import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { asString, dereference, isObject, type JsonObject, objectAt, operationsOf } from './document.ts';
import { bodyExamplesOf, samplesOf } from './samples.ts';

const page = (name: string): string => readFileSync(join(packageRoot, 'src/web/reference', name), 'utf8').trim();
const agentsPage = 'connect-an-agent.md';
const firstClients = ['Claude Code', 'Codex', 'VS Code'];

function quickStart(): string {
  const sections = page(agentsPage).split(/^### /m);
  const clients = firstClients.map((name) => {
    const client = sections.find((part) => part.startsWith(`${name}\n`)) ?? '';
    return client.trim().replace('\n', ': ');
  });
  return page('quick-start.md').replace('{clients}', () => clients.join('\n\n'));
}

/**
 * Returns reference.json: the contract for the API reference, with the quick start, the MCP clients and samples of every operation. In it,
 * `{address}` stands for the service's address.
 */
export function renderReference(document: JsonObject): JsonObject {
  const reference = structuredClone(document);
  const [summary, ...sections] = sectionsOf(document);
  const description = [summary, quickStart(), ...sections, page(agentsPage)].join('\n\n');
  const { license: _, ...info } = objectAt(document, 'info');
  reference.info = { ...info, description };
  const samples = new Map(operationsOf(dereference(document)).map((found) => [found.operationId, samplesOf(found)]));
  for (const { operationId, operation } of operationsOf(reference))
    operation['x-codeSamples'] = samples.get(operationId) ?? [];
  const bodies = operationsOf(document).flatMap(({ operation }) => Object.keys(bodyExamplesOf(operation)));
  // Moves or removes examples of parameters: for a request from the page, the reader types the value, such as an existing job or a new key.
  for (const parameter of Object.values(objectAt(reference, 'components', 'parameters')))
    if (isObject(parameter)) {
      const { example, required } = parameter;
      delete parameter.example;
      if (!required && example !== undefined)
        parameter.examples = Object.fromEntries(
          ['default', ...bodies].map((name) => [name, { value: example, 'x-disabled': true }]),
        );
    }
  return reference;
}

/** Returns the text of llms.txt (llmstxt.org), which describes the service for a language model. */
export function renderLlms(document: JsonObject): string {
  const [summary = '', ...sections] = sectionsOf(document);
  const operations = operationsOf(document);
  const endpoints = operations.map(
    ({ method, path, operation }) => `- \`${method.toUpperCase()} ${path}\`: ${operation.summary}`,
  );
  const tools = operations.flatMap(({ operation: { 'x-mcp': tool } }) =>
    isObject(tool) ? [`- \`${tool.name}\`: ${tool.title}`] : [],
  );
  const values: Readonly<Record<string, string>> = {
    title: asString(objectAt(document, 'info').title, 'info.title'),
    summary: summary.replaceAll('\n', '\n> '),
    sections: sections.join('\n\n'),
    endpoints: endpoints.join('\n'),
    tools: tools.join('\n'),
  };
  return `${page('llms.md').replace(/\{(\w+)\}/g, (mark, name: string) => values[name] ?? mark)}\n\n`;
}

/** The contract's description: its summary, then each section with its heading. */
const sectionsOf = (document: JsonObject): string[] =>
  asString(objectAt(document, 'info').description, 'info.description')
    .split(/^(?=## )/m)
    .map((section) => section.trim());
