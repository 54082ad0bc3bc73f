import { tools } from '../../contract/tools.ts';
import { policy } from '../../domain/environment.ts';
import { document, operations, sections, summary } from './contract.ts';
import { en } from './texts.ts';

/** llms.txt (llmstxt.org): the service described for a language model, from the contract. */
export function llmsText(publicUrl: string): string {
  const { sandbox, production } = policy;
  const link = (path: string, text: string) => `- [${text}](${publicUrl}${path})`;
  return [
    `# ${document.info.title}`,
    `> ${summary.replaceAll('\n', '\n> ')}`,
    ...sections.map(({ heading, text }) => `## ${heading}\n${text}`),
    [
      `## Endpoints\nUnder \`${sandbox.restBase}\` (sandbox) and \`${production.restBase}\` (production):\n`,
      ...operations.map(({ method, path, summary: text }) => `- \`${method} ${path}\`: ${text}`),
    ].join('\n'),
    [
      `## Tools (MCP)\n${en.docs.toolsIntroduction(publicUrl + sandbox.mcpPath, publicUrl + production.mcpPath)}\n`,
      ...tools.map(({ tool }) => `- \`${tool.name}\`: ${tool.title}`),
    ].join('\n'),
    [
      '## Contract',
      link('/openapi.yaml', 'OpenAPI as YAML'),
      link('/openapi.json', 'OpenAPI as JSON'),
      link('/docs', 'API reference'),
      link('/.well-known/ai-catalog.json', 'Catalog of the MCP server cards'),
    ].join('\n'),
    '',
  ].join('\n\n');
}
