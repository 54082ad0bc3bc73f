import type { ComponentChildren } from 'preact';
import { type Environment, policy } from '../../../domain/environment.ts';
import type { IssuedCredential } from '../../../operations/credentials/issue-credential.ts';
import { Instant } from '../../components/text.tsx';
import { useTexts } from '../../texts/texts.ts';

interface Props extends IssuedCredential {
  readonly environment: Environment;
  readonly origin: string;
  readonly children?: ComponentChildren;
}

/** The only page that ever shows a secret, with examples that use it. */
export function SecretPage({ secret, expiresAt, environment, origin, children }: Props) {
  const { companyCredentials: texts, environments } = useTexts();
  const { restBase, mcpPath } = policy[environment];
  const curl = `curl -s ${origin}${restBase}/account -H 'Authorization: Bearer ${secret}'`;
  const server = { url: origin + mcpPath, headers: { Authorization: `Bearer ${secret}` } };
  const mcp = JSON.stringify({ mcpServers: { vaga: server } }, null, 2);
  return (
    <>
      <h1>{texts.newTitle}</h1>
      <p class="notice">{texts.copyNow}</p>
      <CopyBlock id="secret" heading={texts.secret} text={secret} />
      <p>{texts.validUntil(environments[environment].lower, <Instant at={expiresAt} />)}</p>
      {children}
      <CopyBlock id="curl" heading={texts.tryRest} text={curl} />
      <CopyBlock id="mcp" heading={texts.connectMcp} text={mcp} />
      <p>
        <a href="/dashboard/credentials">{texts.back}</a>
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
