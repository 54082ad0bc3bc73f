import type { ContractView } from './contract-view.ts';
import { toolsIntro } from './llms-text.ts';
import { InlineMarkdown } from './markdown.tsx';

/** What an agent is shown of each tool, with the operation that it runs. */
export const Tools = ({ view, publicUrl }: { readonly view: ContractView; readonly publicUrl: string }) => (
  <section id="tools">
    <h2>Tools (MCP)</h2>
    <p>
      <InlineMarkdown text={toolsIntro(publicUrl)} />
    </p>
    {view.operations.map(({ operationId, summary, tool: known }) => {
      if (!known) return null;
      const { tool, arguments: routes, scope } = known;
      return (
        <section key={tool.name} id={tool.name}>
          <h3>
            <code>{tool.name}</code>
          </h3>
          <p>{tool.description}</p>
          <p class="call">
            <span>
              operation <a href={`#${operationId}`}>{summary}</a>
            </span>{' '}
            <span>
              scope <code>{scope}</code>
            </span>{' '}
            <span>arguments {Object.keys(routes).length === 0 ? 'none' : <Names names={Object.keys(routes)} />}</span>
          </p>
        </section>
      );
    })}
  </section>
);

const Names = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.map((name, at) => (
      <>
        {at > 0 && ', '}
        <code>{name}</code>
      </>
    ))}
  </>
);
