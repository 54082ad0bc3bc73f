import type { OpenAPIV3 } from 'openapi-types';
import { tools } from '../../contract/tools.ts';
import { policy } from '../../domain/environment.ts';

/** llms.txt (llmstxt.org): what this service is, for a language model; what it says of the service comes from the contract. */
export function llmsText({ info, paths }: OpenAPIV3.Document, publicUrl: string): string {
  const { title } = info;
  const { summary, sections } = sectionsOf(info);
  const link = (path: string, text: string) => `- [${text}](${publicUrl}${path})`;
  return [
    `# ${title}`,
    `> ${summary.replaceAll('\n', '\n> ')}`,
    ...sections.map(({ heading, text }) => `## ${heading}\n${text}`),
    `## Endpoints\n${endpoints(paths)}`,
    `## Tools (MCP)\n${toolList(publicUrl)}`,
    [
      '## Contract',
      link('/openapi.yaml', 'OpenAPI as YAML'),
      link('/openapi.json', 'OpenAPI as JSON'),
      link('/docs', 'Reference'),
    ].join('\n'),
    '',
  ].join('\n\n');
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** The contract's description: its first paragraph, and the text under each of its headings. */
export function sectionsOf({ description = '' }: OpenAPIV3.InfoObject): { summary: string; sections: Section[] } {
  const [summary = '', ...parts] = description.split(/^## /m);
  const sections = parts.map((part) => {
    const end = part.indexOf('\n');
    return { heading: part.slice(0, end), text: part.slice(end + 1).trim() };
  });
  return { summary: summary.trim(), sections };
}

const bases = `Below \`${policy.sandbox.restBase}\` (sandbox) and \`${policy.production.restBase}\` (production):`;

function endpoints(paths: OpenAPIV3.PathsObject): string {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => {
      const { summary } = operation as OpenAPIV3.OperationObject;
      return `- \`${method.toUpperCase()} ${path}\`: ${summary}`;
    }),
  );
  return [bases, '', ...lines].join('\n');
}

/** How the tools are reached, in Markdown. */
export function toolsIntro(publicUrl: string): string {
  const { sandbox, production } = policy;
  return `Streamable HTTP, POST only, with the same tokens: \`${publicUrl}${sandbox.mcpPath}\` (sandbox), \`${publicUrl}${production.mcpPath}\` (production).`;
}

function toolList(publicUrl: string): string {
  const lines = tools.map(({ tool }) => `- \`${tool.name}\`: ${tool.title}`);
  return [toolsIntro(publicUrl), '', ...lines].join('\n');
}
