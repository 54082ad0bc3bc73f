import { renderToString } from 'preact-render-to-string';
import { policy } from '../../domain/environment.ts';
import { assetPaths } from '../assets.ts';
import { HtmlDocument } from '../html-document.tsx';
import { languages } from '../language.ts';
import { portals } from '../portals.ts';
import { TContext } from '../texts/t.ts';
import { summary, title } from './docs-page.ts';

/** What a browser shows at the service's address. */
export const frontPage = (publicUrl: string): string =>
  `<!DOCTYPE html>${renderToString(
    <TContext.Provider value={languages.en.t}>
      <HtmlDocument title={title} description={summary} scripts={[assetPaths.script]} isIndexed>
        <main id="content" class="container front" tabIndex={-1}>
          <h1>{title}</h1>
          <p>{summary}</p>
          <ul>
            <li>
              <a href="/docs">API reference</a>: quick start, and every operation, which you can try in the sandbox
            </li>
            <li>
              <a href={portals.company.base}>Company dashboard</a>: your company's credentials, jobs and requests
            </li>
            <li>
              <a href={portals.administrator.base}>Administration</a>: for those who run this service
            </li>
            <li>
              Contract: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>. For language
              models: <a href="/llms.txt">llms.txt</a>
            </li>
          </ul>
          <h2>Addresses</h2>
          <dl class="facts">
            <Address name="Sandbox, REST" publicUrl={publicUrl} path={policy.sandbox.restBase} />
            <Address name="Sandbox, MCP" publicUrl={publicUrl} path={policy.sandbox.mcpPath} />
            <Address name="Production, REST" publicUrl={publicUrl} path={policy.production.restBase} />
            <Address name="Production, MCP" publicUrl={publicUrl} path={policy.production.mcpPath} />
          </dl>
        </main>
      </HtmlDocument>
    </TContext.Provider>,
  )}`;

/** Without PUBLIC_URL, a script puts the address at which the page was opened before the path. */
const Address = ({
  name,
  publicUrl,
  path,
}: {
  readonly name: string;
  readonly publicUrl: string;
  readonly path: string;
}) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code data-copy data-path={publicUrl === '' ? path : undefined}>
        {publicUrl + path}
      </code>
    </dd>
  </div>
);
