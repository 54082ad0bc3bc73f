import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { portals } from '../portals.ts';
import { renderPublicPage } from '../public-page.tsx';
import { sectionsOf } from './llms-text.ts';
import { Markdown } from './markdown.tsx';

/** What a person finds who opens the service's address in a browser. `publicUrl` as in the services. */
export function frontPage({ info }: OpenAPIV3.Document, publicUrl: string): string {
  const { summary } = sectionsOf(info);
  const content = (
    <main id="content" class="container" tabIndex={-1}>
      <h1>{info.title}</h1>
      <Markdown text={summary} />
      <ul>
        <li>
          <a href="/docs">API reference</a>: every operation with examples for curl, TypeScript and MCP, to try in the
          sandbox.
        </li>
        <li>
          <a href={portals.company.base}>Company dashboard</a>: credentials, jobs and requests of your company.
        </li>
        <li>
          The contract as a file: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>.
        </li>
        <li>
          For language models: <a href="/llms.txt">llms.txt</a>.
        </li>
      </ul>
      <h2>Addresses</h2>
      <dl class="facts">
        {Object.entries(policy).map(([environment, { restBase, mcpPath }]) => (
          <div key={environment}>
            <dt>{environment === 'sandbox' ? 'Sandbox' : 'Production'}</dt>
            <dd>
              REST <code>{`${publicUrl}${restBase}`}</code>, MCP <code>{`${publicUrl}${mcpPath}`}</code>
            </dd>
          </div>
        ))}
      </dl>
    </main>
  );
  const description = summary.replace(/\s+/g, ' ').trim();
  return renderPublicPage({ title: info.title, description, scripts: [] }, content);
}
