import type { ComponentChildren } from 'preact';
import { type Environment, policy } from '../../../domain/environment.ts';
import type { IssuedCredential } from '../../../operations/credentials/issue-credential.ts';
import { Instant } from '../../components/text.tsx';
import { inEnvironmentLabels } from '../../labels.ts';
import { useT } from '../../texts/t.ts';

interface Props extends IssuedCredential {
  readonly environment: Environment;
  readonly origin: string;
  readonly children?: ComponentChildren;
}

/** The only page that ever shows a secret, with examples that use it. */
export function SecretPage({ secret, expiresAt, environment, origin, children }: Props) {
  const t = useT();
  const { restBase, mcpPath } = policy[environment];
  const curl = `curl -s ${origin}${restBase}/account -H 'Authorization: Bearer ${secret}'`;
  const server = { url: origin + mcpPath, headers: { Authorization: `Bearer ${secret}` } };
  const mcp = JSON.stringify({ mcpServers: { vaga: server } }, null, 2);
  return (
    <>
      <h1>{t('New credential')}</h1>
      <p class="notice">{t('Copy the secret now. It is shown only once.')}</p>
      <CopyBlock id="secret" heading={t('Secret')} text={secret} />
      <p>
        {t('Valid {{inEnvironment}} until {{at}}.', {
          inEnvironment: t(inEnvironmentLabels[environment]),
          at: <Instant at={expiresAt} />,
        })}
      </p>
      {children}
      <CopyBlock id="curl" heading={t('Try it with REST')} text={curl} />
      <CopyBlock id="mcp" heading={t('Connect an AI agent with MCP')} text={mcp} />
      <p>
        <a href="/dashboard/credentials">{t('Back to the credentials')}</a>
      </p>
    </>
  );
}

function CopyBlock({ id, heading, text }: { readonly id: string; readonly heading: string; readonly text: string }) {
  return (
    <section>
      <h2>{heading}</h2>
      <pre id={id} data-copy>
        {text}
      </pre>
    </section>
  );
}
