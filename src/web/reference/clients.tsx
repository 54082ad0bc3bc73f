import { policy } from '../../domain/environment.ts';
import { Table } from '../components/table.tsx';
import { Code } from './code.tsx';
import { InlineMarkdown } from './markdown.tsx';
import { mcpClients } from './mcp-clients.ts';
import { useTexts } from './texts.ts';

/** What to give each MCP client, and where clients find the endpoints by themselves. */
export function Clients({ address }: { readonly address: string }) {
  const { clients: texts } = useTexts();
  const { mcpPath, tokenPrefix } = policy.production;
  return (
    <section id="clients">
      <h2>{texts.title}</h2>
      <p>{texts.introduction(<code>{`${address}${mcpPath}`}</code>, <code>{tokenPrefix}</code>)}</p>
      <Table
        label={texts.label}
        rows={mcpClients(address)}
        rowHead={texts.client}
        columns={[
          [texts.client, ({ name }) => name],
          [
            texts.paste,
            ({ name, where, paste }) => (
              <>
                <InlineMarkdown text={texts.where[name] ?? where} />
                {paste !== undefined && (
                  <Code text={typeof paste === 'string' ? paste : JSON.stringify(paste, null, 2)} />
                )}
              </>
            ),
          ],
        ]}
      />
      <p>
        {texts.cards((text) => (
          <code>{text}</code>
        ))}
      </p>
    </section>
  );
}
