import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { assetPaths } from '../assets.ts';
import { renderPublicPage } from '../public-page.tsx';
import { Code } from './code.tsx';
import { Contents, slugOf } from './contents.tsx';
import { ContractView } from './contract-view.ts';
import { ErrorResponses } from './errors.tsx';
import { ResponseHeaders } from './headers.tsx';
import { sectionsOf } from './llms-text.ts';
import { InlineMarkdown, Markdown } from './markdown.tsx';
import { Operation } from './operation.tsx';
import { Schemas } from './schemas.tsx';
import { Tools } from './tools.tsx';
import { TryItToken } from './try-it.tsx';

/** Where the examples are sent where no public address is set: the first start's. */
const firstAddress = 'http://127.0.0.1:3000';

/** The API reference, all of it from the contract. `publicUrl` as in the services. */
export function docsPage(document: OpenAPIV3.Document, publicUrl: string): string {
  const view = new ContractView(document);
  const { title } = document.info;
  const { summary, sections } = sectionsOf(document.info);
  const content = (
    <div class="container reference">
      <Contents view={view} sections={sections} />
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        <Markdown text={summary} />
        <p>
          The contract as a file: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>.
          For language models: <a href="/llms.txt">llms.txt</a>.
        </p>
        {sections.map(({ heading, text }) => (
          <section key={heading} id={slugOf(heading)}>
            <h2>{heading}</h2>
            <Markdown text={text} />
          </section>
        ))}
        <Setup address={publicUrl || firstAddress} />
        <Operations view={view} />
        <ErrorResponses view={view} />
        <ResponseHeaders view={view} />
        <Schemas view={view} />
        <Tools view={view} publicUrl={publicUrl} />
      </main>
    </div>
  );
  const description = `${summary.replace(/\s+/g, ' ').trim()} Reference with examples for curl, TypeScript and MCP.`;
  return renderPublicPage(
    { title: `${title}: reference`, description, scripts: [assetPaths.script, assetPaths.tryIt] },
    content,
  );
}

const Operations = ({ view }: { readonly view: ContractView }) => (
  <>
    {(view.document.tags ?? []).map(({ name, description = '' }) => (
      <section key={name} id={slugOf(name)}>
        <h2>{name}</h2>
        <p>
          <InlineMarkdown text={description} />
        </p>
        {view.operations
          .filter(({ tag }) => tag === name)
          .map((operation) => (
            <Operation key={operation.operationId} view={view} operation={operation} />
          ))}
      </section>
    ))}
  </>
);

const { restBase, mcpPath, tokenPrefix } = policy.sandbox;

/** What the examples of the operations begin with. */
const Setup = ({ address }: { readonly address: string }) => (
  <section id="setup">
    <h2>Set up the examples</h2>
    <p>For curl:</p>
    <Code text={`TOKEN=${tokenPrefix}...\nAPI=${address}${restBase}\nMCP=${address}${mcpPath}`} />
    <p>For TypeScript:</p>
    <Code
      text={`import { createClient } from 'vaga/client';\n\nconst client = createClient({ baseUrl: '${address}', token: '${tokenPrefix}...' });`}
    />
    <p>For MCP, an agent sends these messages; by hand, paste one of them after this line and end it with Ctrl-D:</p>
    <Code
      text={`curl -s "$MCP" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d @-`}
    />
    <TryItToken />
  </section>
);
