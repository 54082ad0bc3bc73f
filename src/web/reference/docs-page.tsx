import type { ComponentChildren } from 'preact';
import { policy } from '../../domain/environment.ts';
import { assetPaths } from '../assets.ts';
import { renderPublicPage } from '../html-document.tsx';
import { ErrorResponses, ResponseHeaders, Schemas, schemaNames, Tools } from './appendix.tsx';
import { Clients } from './clients.tsx';
import { Code } from './code.tsx';
import { document, operations, sections, summary } from './contract.ts';
import { InlineMarkdown, Markdown } from './markdown.tsx';
import { OperationSection } from './operation.tsx';
import { TryItToken } from './try-it.tsx';

/** Used in examples if `PUBLIC_URL` is not set. */
const defaultAddress = 'http://127.0.0.1:3000';

const tags = (document.tags ?? []).map(({ name, description = '' }) => ({
  name,
  description,
  operations: operations.filter(({ tag }) => tag === name),
}));

/** The anchor of a heading: "Response headers" is response-headers. */
const slugOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The API reference, generated from the contract. */
export function docsPage(publicUrl: string): string {
  const { title } = document.info;
  const content = (
    <div class="container reference">
      <Contents />
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
        <Clients address={publicUrl || defaultAddress} />
        <Setup address={publicUrl || defaultAddress} />
        {tags.map((tag) => (
          <section key={tag.name} id={slugOf(tag.name)}>
            <h2>{tag.name}</h2>
            <p>
              <InlineMarkdown text={tag.description} />
            </p>
            {tag.operations.map((operation) => (
              <OperationSection key={operation.operationId} operation={operation} />
            ))}
          </section>
        ))}
        <ErrorResponses />
        <ResponseHeaders />
        <Schemas />
        <Tools publicUrl={publicUrl} />
      </main>
    </div>
  );
  const description = `${summary.replace(/\s+/g, ' ')} API reference with examples for curl, TypeScript and MCP.`;
  const scripts = [assetPaths.script, assetPaths.tryIt];
  return renderPublicPage({ title: `${title}: API reference`, description, scripts }, content);
}

const Contents = () => (
  <nav aria-label="Contents" class="contents">
    <ul>
      {sections.map(({ heading }) => (
        <Entry key={heading} to={slugOf(heading)} text={heading} />
      ))}
      <Entry to="clients" text="Connect an agent (MCP)" />
      <Entry to="setup" text="Set up the examples" />
      {tags.map((tag) => (
        <Entry key={tag.name} to={slugOf(tag.name)} text={tag.name}>
          {tag.operations.map((operation) => (
            <Entry key={operation.operationId} to={operation.operationId} text={operation.summary} />
          ))}
        </Entry>
      ))}
      <Entry to="error-responses" text="Error responses" />
      <Entry to="response-headers" text="Response headers" />
      <Entry to="schemas" text="Schemas">
        {schemaNames.map((name) => (
          <Entry key={name} to={name} text={name} />
        ))}
      </Entry>
      <Entry to="tools" text="Tools (MCP)" />
    </ul>
  </nav>
);

interface EntryProps {
  readonly to: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

const Entry = ({ to, text, children }: EntryProps) => (
  <li>
    <a href={`#${to}`}>{text}</a>
    {children && <ul>{children}</ul>}
  </li>
);

const { restBase, mcpPath, tokenPrefix } = policy.sandbox;

const Setup = ({ address }: { readonly address: string }) => (
  <section id="setup">
    <h2>Set up the examples</h2>
    <p>For curl:</p>
    <Code text={`TOKEN=${tokenPrefix}...\nAPI=${address}${restBase}\nMCP=${address}${mcpPath}`} />
    <p>For TypeScript:</p>
    <Code
      text={`import { createClient } from 'vaga/client';\n\nconst client = createClient({ baseUrl: '${address}', token: '${tokenPrefix}...' });`}
    />
    <p>
      For MCP, an agent sends these messages. To send one by hand, run this command, paste the message, press Ctrl-D:
    </p>
    <Code
      text={`curl -s "$MCP" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d @-`}
    />
    <TryItToken />
  </section>
);
