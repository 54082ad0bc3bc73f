import type { OpenAPIV3 } from 'openapi-types';
import { tools } from '../../contract/tools.ts';
import { policy } from '../../domain/environment.ts';

/** llms.txt (llmstxt.org): what this service is, for a language model; what it says of the service comes from the contract. */
export function llmsText({ info, paths }: OpenAPIV3.Document, publicUrl: string): string {
  const { title, description = '' } = info;
  const [summary = '', ...sections] = description.split(/\n(?=## )/);
  const link = (path: string, text: string) => `- [${text}](${publicUrl}${path})`;
  return [
    `# ${title}`,
    `> ${summary.trim().replaceAll('\n', '\n> ')}`,
    ...sections.map((section) => section.trim()),
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

function toolList(publicUrl: string): string {
  const { sandbox, production } = policy;
  const intro = `Streamable HTTP, POST only, with the same tokens: \`${publicUrl}${sandbox.mcpPath}\` (sandbox), \`${publicUrl}${production.mcpPath}\` (production).`;
  const lines = tools.map(({ tool }) => `- \`${tool.name}\`: ${tool.title}`);
  return [intro, '', ...lines].join('\n');
}
