import { policy } from '../../domain/environment.ts';
import { Table } from '../components/table.tsx';
import { Code } from './code.tsx';
import { InlineMarkdown } from './markdown.tsx';
import { mcpClients } from './mcp-clients.ts';

/** What to give each MCP client, and where clients find the endpoints by themselves. */
export const Clients = ({ address }: { readonly address: string }) => (
  <section id="clients">
    <h2>Connect an agent (MCP)</h2>
    <p>
      These use the sandbox. For production, use <code>{`${address}${policy.production.mcpPath}`}</code> and a token
      that begins with <code>{policy.production.tokenPrefix}</code>. There is no OAuth: an agent needs a token from the
      dashboard.
    </p>
    <Table
      label="MCP clients"
      rows={mcpClients(address)}
      rowHead="Client"
      columns={[
        ['Client', ({ name }) => name],
        [
          'What to paste',
          ({ where, paste }) => (
            <>
              <InlineMarkdown text={where} />
              {paste !== undefined && (
                <Code text={typeof paste === 'string' ? paste : JSON.stringify(paste, null, 2)} />
              )}
            </>
          ),
        ],
      ]}
    />
    <p>
      Clients that look for servers find a server card without tools at <code>/mcp/server-card</code> and{' '}
      <code>/sandbox/mcp/server-card</code>, and both in <code>/.well-known/ai-catalog.json</code>. These need no token.
      They are 404 if the service does not know its public address, that is, if <code>PUBLIC_URL</code> is not set and
      the service is not reached directly on a loopback address.
    </p>
  </section>
);
