import type { ComponentChildren } from 'preact';
import { policy } from '../../domain/environment.ts';
import { assetPaths } from '../assets.ts';
import { renderPublicPage } from '../html-document.tsx';
import { ErrorResponses, ResponseHeaders, Schemas, schemaNames, Tools } from './appendix.tsx';
import { Clients } from './clients.tsx';
import { Code } from './code.tsx';
import { document, operations, sections, summary } from './contract.ts';
import { ContractMarkdown, ContractText, InlineContractMarkdown } from './contract-text.tsx';
import { ContractFiles } from './front-page.tsx';
import { OperationSection } from './operation.tsx';
import { type Texts, useTexts } from './texts.ts';
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
export function docsPage(publicUrl: string, texts: Texts): string {
  const { docs, front } = texts;
  const title = front.title ?? document.info.title;
  const content = (
    <div class="container reference">
      <Contents />
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        {front.summary === undefined ? <ContractMarkdown text={summary} /> : <p>{front.summary}</p>}
        <p>
          <ContractFiles /> {front.llms}
          <a href="/llms.txt">llms.txt</a>.
        </p>
        {sections.map(({ heading, text }) => (
          <section key={heading} id={slugOf(heading)}>
            <h2>
              <ContractText>{heading}</ContractText>
            </h2>
            <ContractMarkdown text={text} />
          </section>
        ))}
        <Clients address={publicUrl || defaultAddress} />
        <Setup address={publicUrl || defaultAddress} />
        {tags.map((tag) => (
          <section key={tag.name} id={slugOf(tag.name)}>
            <h2>
              <ContractText>{tag.name}</ContractText>
            </h2>
            <p>
              <InlineContractMarkdown text={tag.description} />
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
  const description = docs.description((front.summary ?? summary).replace(/\s+/g, ' '));
  const scripts = [assetPaths.script, assetPaths.tryIt];
  return renderPublicPage({ title: docs.title(title), description, scripts }, content);
}

function Contents() {
  const { docs, clients } = useTexts();
  return (
    <nav aria-label={docs.contents} class="contents">
      <ul>
        {sections.map(({ heading }) => (
          <Entry key={heading} to={slugOf(heading)} text={<ContractText>{heading}</ContractText>} />
        ))}
        <Entry to="clients" text={clients.title} />
        <Entry to="setup" text={docs.setup} />
        {tags.map((tag) => (
          <Entry key={tag.name} to={slugOf(tag.name)} text={<ContractText>{tag.name}</ContractText>}>
            {tag.operations.map((operation) => (
              <Entry
                key={operation.operationId}
                to={operation.operationId}
                text={<ContractText>{operation.summary}</ContractText>}
              />
            ))}
          </Entry>
        ))}
        <Entry to="error-responses" text={docs.errorResponses} />
        <Entry to="response-headers" text={docs.responseHeaders} />
        <Entry to="schemas" text={docs.schemas}>
          {schemaNames.map((name) => (
            <Entry key={name} to={name} text={name} />
          ))}
        </Entry>
        <Entry to="tools" text={docs.tools} />
      </ul>
    </nav>
  );
}

interface EntryProps {
  readonly to: string;
  readonly text: ComponentChildren;
  readonly children?: ComponentChildren;
}

const Entry = ({ to, text, children }: EntryProps) => (
  <li>
    <a href={`#${to}`}>{text}</a>
    {children && <ul>{children}</ul>}
  </li>
);

const { restBase, mcpPath, tokenPrefix } = policy.sandbox;

function Setup({ address }: { readonly address: string }) {
  const { docs } = useTexts();
  return (
    <section id="setup">
      <h2>{docs.setup}</h2>
      <p>{docs.forCurl}</p>
      <Code text={`TOKEN=${tokenPrefix}...\nAPI=${address}${restBase}\nMCP=${address}${mcpPath}`} />
      <p>{docs.forTypeScript}</p>
      <Code
        text={`import { createClient } from 'vaga-client';\n\nconst client = createClient({ baseUrl: '${address}', token: '${tokenPrefix}...' });`}
      />
      <p>{docs.forMcp}</p>
      <Code
        text={`curl -s "$MCP" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d @-`}
      />
      <TryItToken />
    </section>
  );
}
