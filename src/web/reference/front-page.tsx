import { policy } from '../../domain/environment.ts';
import { Facts } from '../components/text.tsx';
import { renderPublicPage } from '../html-document.tsx';
import { portals } from '../portals.ts';
import { document, summary } from './contract.ts';
import { Markdown } from './markdown.tsx';

/** What a browser shows at the service's address. */
export function frontPage(publicUrl: string): string {
  const { title } = document.info;
  const content = (
    <main id="content" class="container" tabIndex={-1}>
      <h1>{title}</h1>
      <Markdown text={summary} />
      <ul>
        <li>
          <a href="/docs">API reference</a>: every operation with examples for curl, TypeScript and MCP, which you can
          try in the sandbox.
        </li>
        <li>
          <a href={portals.company.base}>Company dashboard</a>: your company's credentials, jobs and requests.
        </li>
        <li>
          The contract as a file: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>.
        </li>
        <li>
          For language models: <a href="/llms.txt">llms.txt</a>.
        </li>
      </ul>
      <h2>Addresses</h2>
      <Facts
        facts={(['sandbox', 'production'] as const).map((environment) => {
          const { restBase, mcpPath } = policy[environment];
          return [
            environment === 'sandbox' ? 'Sandbox' : 'Production',
            <>
              REST <code>{`${publicUrl}${restBase}`}</code>, MCP <code>{`${publicUrl}${mcpPath}`}</code>
            </>,
          ];
        })}
      />
    </main>
  );
  return renderPublicPage({ title, description: summary.replace(/\s+/g, ' '), scripts: [] }, content);
}
