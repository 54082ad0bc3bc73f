import type { ComponentChildren } from 'preact';
import { type Environment, policy } from '../../../domain/environment.ts';
import type { IssuedCredential } from '../../../operations/credentials/issue-credential.ts';
import { Instant } from '../../parts/when.tsx';

interface Props extends IssuedCredential {
  readonly environment: Environment;
  readonly origin: string;
  /** What else there is to know of it. */
  readonly children?: ComponentChildren;
}

/** The one page that ever shows a secret, with lines to paste that use it. */
export function SecretPage({ secret, expiresAt, environment, origin, children }: Props) {
  const { restBase, mcpPath } = policy[environment];
  const curl = `curl -s ${origin}${restBase}/account -H 'Authorization: Bearer ${secret}'`;
  const server = { url: origin + mcpPath, headers: { Authorization: `Bearer ${secret}` } };
  return (
    <>
      <h1>The new credential</h1>
      <p class="notice">Copy it now: it is shown this once and cannot be shown again.</p>
      <Block id="secret" heading="Secret" text={secret} />
      <p>
        It works in {environment} until <Instant at={expiresAt} />.
      </p>
      {children}
      <Block id="curl" heading="Try it by REST" text={curl} />
      <Block
        id="mcp"
        heading="Connect an AI agent by MCP"
        text={JSON.stringify({ mcpServers: { vaga: server } }, null, 2)}
      />
      <p>
        <a href="/dashboard/credentials">Back to the credentials</a>
      </p>
    </>
  );
}

function Block({ id, heading, text }: { readonly id: string; readonly heading: string; readonly text: string }) {
  return (
    <section>
      <h2>{heading}</h2>
      <pre id={id} data-copy>
        {text}
      </pre>
    </section>
  );
}
