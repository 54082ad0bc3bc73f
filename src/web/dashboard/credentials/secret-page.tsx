import { policy } from '../../../domain/environment.ts';
import type { IssuedCredential } from '../../../operations/credentials/issue-credential.ts';
import { Instant } from '../../components/text.tsx';
import { inEnvironmentLabels } from '../../labels.ts';
import { type DashboardContext, type PageAnswer, page } from '../../page.ts';

/** The only page that ever shows a secret, with examples that use it. */
export const secretPage = async (
  { now, origin, t }: DashboardContext,
  { secret, environment, expiresAt, endsAt }: IssuedCredential & { readonly endsAt?: Date },
): Promise<PageAnswer> => {
  const { restBase, mcpPath } = policy[environment];
  const curl = `curl -s ${origin}${restBase}/account -H 'Authorization: Bearer ${secret}'`;
  const server = { url: origin + mcpPath, headers: { Authorization: `Bearer ${secret}` } };
  const mcp = JSON.stringify({ mcpServers: { vaga: server } }, null, 2);
  const content = (
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
      {endsAt && (
        <p>
          {endsAt <= now
            ? t('The old credential no longer works.')
            : t('The old credential works until {{at}}', { at: <Instant at={endsAt} /> })}
        </p>
      )}
      <CopyBlock id="curl" heading={t('Try it with REST')} text={curl} />
      <CopyBlock id="mcp" heading={t('Connect an AI agent with MCP')} text={mcp} />
      <p>
        <a href="/dashboard/credentials">{t('Back to the credentials')}</a>
      </p>
    </>
  );
  return page(t('New credential'), content);
};

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
