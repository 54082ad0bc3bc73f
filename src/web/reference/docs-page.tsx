import { Marked } from 'marked';
import { renderToString } from 'preact-render-to-string';
import { fragmentOf, info, slugOf } from '../../contract/published-contract.ts';
import { Table } from '../components/data-table.tsx';
import { Facts, VisuallyHidden } from '../components/text.tsx';
import { HtmlDocument } from '../layout.tsx';
import { languages } from '../texts/language.ts';

export const { title } = info;
/** The first paragraph of the contract's description. */
export const summary = info.description?.split('\n\n')[0]?.replaceAll('\n', ' ') ?? '';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

interface Operation {
  readonly operationId: string;
  readonly tags?: string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
  readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[];
}

/** generated/reference.json: the contract with the guides and samples. */
interface Reference {
  readonly info: { readonly description: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  /** Besides its operations, a path may have a list of parameters that all of them share. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly Parameter[]>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const marked = new Marked({
  renderer: {
    heading: ({ depth, text }) => `<h${depth} id="description/${slugOf(text)}">${escaped(text)}</h${depth}>`,
    code: ({ text }) => `<pre data-copy>${escaped(text)}</pre>`,
  },
});

/** Renders Markdown of the contract. Unsanitized HTML is safe here, because the text is ours. */
const Markdown = ({ text }: { readonly text: string }) => (
  <div dangerouslySetInnerHTML={{ __html: marked.parse(text, { async: false }) }} />
);

/**
 * Renders the API reference. The page contains everything and can be read without scripts. An operation's details are closed, and the
 * browser lays them out only when they are opened.
 */
export function docsPage(reference: Reference): string {
  const { paths, components } = reference;
  const { description } = reference.info;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      'operationId' in operation ? [{ ...operation, path, method: method.toUpperCase() }] : [],
    ),
  );
  // An operation may have no tag, and a tag may have no description.
  const described = new Map(reference.tags?.map((tag) => [tag.name, tag.description]));
  const tags = [...new Set([...described.keys(), ...operations.map(tagOf)])];
  const models = Object.entries(components.schemas).filter(([, { properties }]) => properties);
  const sections = [...description.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
  const page = (
    <HtmlDocument
      t={languages.en.t}
      title={`${title}: API reference`}
      description={`${summary} API reference with examples for curl, TypeScript, Python, PHP and MCP.`}
      isIndexed
    >
      <header class="container mt-4 hstack justify-between">
        <a class="unstyled" href="/">
          <strong>Vaga</strong> API reference
        </a>
        <a href="/dashboard">Dashboard</a>
      </header>
      <main id="content" class="container mt-4 mb-6 reference" tabIndex={-1} data-address>
        <h1>{title}</h1>
        <nav aria-label="Contents">
          <search hidden>
            <input type="search" aria-label="Search this reference" placeholder="Search" />
            <p role="status" data-none="Nothing found." />
          </search>
          <ul>
            {sections.map((name) => (
              <li key={name}>
                <a href={`#description/${slugOf(name)}`}>{name}</a>
              </li>
            ))}
            {tags.map((name) => (
              <li key={name}>
                <a href={`#tag/${slugOf(name)}`}>{name || 'Operations'}</a>
                <ul>
                  {operations
                    .filter((operation) => tagOf(operation) === name)
                    .map((operation) => (
                      <li key={operation.operationId}>
                        <a href={`#${fragmentOf(operation)}`}>{operation.summary}</a>
                      </li>
                    ))}
                </ul>
              </li>
            ))}
            <li>
              <a href="#models">Schemas</a>
              <ul>
                {models.map(([name]) => (
                  <li key={name}>
                    <a href={`#model/${name}`}>{name}</a>
                  </li>
                ))}
              </ul>
            </li>
          </ul>
        </nav>
        <Markdown text={description} />
        {tags.map((tag) => (
          <section key={tag}>
            <h2 id={`tag/${slugOf(tag)}`}>{tag || 'Operations'}</h2>
            <Markdown text={described.get(tag) ?? ''} />
            {operations
              .filter((operation) => tagOf(operation) === tag)
              .map((operation) => (
                <OperationDetails key={operation.operationId} {...operation} reference={reference} />
              ))}
          </section>
        ))}
        <h2 id="models">Schemas</h2>
        {models.map(([name, schema]) => (
          <details key={name}>
            <summary>{name}</summary>
            <div id={`model/${name}`}>
              {schema.description && <Markdown text={schema.description} />}
              <Fields name={name} schema={schema} reference={reference} />
            </div>
          </details>
        ))}
      </main>
    </HtmlDocument>
  );
  return `<!DOCTYPE html>${renderToString(page)}`;
}

const tagOf = ({ tags: [first = ''] = [] }: Operation): string => first;

type Shown = Operation & { readonly path: string; readonly method: string; readonly reference: Reference };

/** The details of an operation, closed at first. An address with the operation's id as its fragment opens them. */
function OperationDetails({ reference, path, method, ...operation }: Shown) {
  const id = fragmentOf(operation);
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(parameter, reference));
  return (
    <details>
      <summary>
        <span>
          <code>{`${method} ${path}`}</code> {operation.summary}
        </span>
      </summary>
      <div id={id}>
        <Markdown text={operation.description ?? ''} />
        <p>
          <a href={`/docs/try#${id}`}>
            Try it in the sandbox<VisuallyHidden>{`: ${operation.summary}`}</VisuallyHidden>
          </a>
        </p>
        {parameters.length > 0 && (
          <Table
            label={`Parameters of ${operation.operationId}`}
            rows={parameters}
            rowHead="Parameter"
            columns={[
              ['Parameter', ({ name }) => <code>{name}</code>],
              ['In', ({ in: place, required }) => `${place}${required ? ', required' : ''}`],
              ['Description', ({ description = '' }) => <Markdown text={description} />],
            ]}
          />
        )}
        {operation.requestBody && (
          <p>
            Body: <Schemas of={operation.requestBody} />
          </p>
        )}
        {operation['x-codeSamples']?.map(({ label, source }) => (
          <details key={label} open={label === 'curl'}>
            <summary>{label}</summary>
            <pre data-copy>{source}</pre>
          </details>
        ))}
        <Facts
          facts={Object.entries(operation.responses).map(([status, response]) => [
            status,
            <>
              {resolved(response, reference).description} <Schemas of={response} />
            </>,
          ])}
        />
      </div>
    </details>
  );
}

function Fields({
  name,
  schema,
  reference,
}: {
  readonly name: string;
  readonly schema: Schema;
  readonly reference: Reference;
}) {
  return (
    <Table
      label={`Fields of ${name}`}
      rows={Object.entries(schema.properties ?? {})}
      rowHead="Field"
      columns={[
        ['Field', ([field]) => <code>{field}</code>],
        [
          'Type',
          ([field, of]) => `${typeOf(resolved(of, reference))}${schema.required?.includes(field) ? ', required' : ''}`,
        ],
        ['Description', ([, of]) => <Markdown text={resolved(of, reference).description ?? ''} />],
      ]}
    />
  );
}

const typeOf = ({ type = 'object', enum: values }: Schema) => values?.join(', ') ?? type;

/** Links to the schemas that a part of the contract names. */
const Schemas = ({ of }: { readonly of: object }) =>
  [...new Set([...JSON.stringify(of).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name))].map(
    (name) => (
      <a key={name} href={`#model/${name}`}>
        {name}{' '}
      </a>
    ),
  );

/** Follows `$ref` inside the contract. */
function resolved<T extends { readonly $ref?: string }>(part: T, reference: Reference): T {
  if (part.$ref === undefined) return part;
  const found = part.$ref
    .split('/')
    .slice(1)
    .reduce((at: unknown, key) => (at as Record<string, unknown>)[key], reference);
  return resolved(found as T, reference);
}
