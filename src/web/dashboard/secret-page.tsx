import { readFileSync } from 'node:fs';
import { policy } from '../../domain/environment.ts';
import { builtFile } from '../../files.ts';
import type { IssuedCredential } from '../../operations/credentials/people/issue-credential.ts';
import { Instant, Notice } from '../components/text.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import type { DashboardContext, PageContent } from '../page.ts';

/** The only page that ever shows a credential's secret, with examples that use it. */
export const secretPage = (
  { now, origin, t }: DashboardContext,
  { secret, environment, expiresAt, endsAt }: IssuedCredential & { readonly endsAt?: Date },
): PageContent => {
  const { restBase, mcpPath } = policy[environment];
  const curl = `curl -s ${origin}${restBase}/account -H "Authorization: Bearer ${secret}"`;
  const client = `export TOKEN=${secret}
curl -O ${origin}/vaga-client.tgz && npm i ./vaga-client.tgz
cat > account.mjs <<'JS'
import { createClient } from '@vaga/client';

const client = createClient({ baseUrl: '${origin}', token: process.env.TOKEN });
console.log(await client.getAccount());
JS
node account.mjs`;
  const content = (
    <>
      <h1>{t('New credential')}</h1>
      <Notice>{t('Copy the secret now. It is shown only once.')}</Notice>
      <h2>{t('Secret')}</h2>
      <pre id="secret" data-copy>
        {secret}
      </pre>
      <p>
        {t('Valid {{inEnvironment}} until {{at}}.', {
          inEnvironment: t(inEnvironmentLabels[environment]),
          at: <Instant at={expiresAt} />,
        })}{' '}
        {t(
          'While this environment is closed to your company, the API refuses its requests. The overview says what is missing.',
        )}
      </p>
      {endsAt && (
        <p>
          {endsAt <= now
            ? t('The old credential no longer works.')
            : t('The old credential works until {{at}}', { at: <Instant at={endsAt} /> })}
        </p>
      )}
      <h2>{t('Try it with REST')}</h2>
      <pre id="curl" data-copy>
        {curl}
      </pre>
      <h2>{t('Use it in a program')}</h2>
      <details>
        <summary>{t('Typed client')}</summary>
        <pre data-copy>{client}</pre>
      </details>
      <h2>{t('Connect an AI agent with MCP')}</h2>
      {mcpClients.map(({ name, about, code }) => (
        <details key={name}>
          <summary>{name}</summary>
          <p>
            {t(about)
              .split('`')
              .map((text, at) => (at % 2 === 1 ? <code key={text}>{text}</code> : text))}
          </p>
          <pre id={name.replaceAll(' ', '')} data-copy>
            {code.replaceAll(samplePlace, origin + mcpPath).replaceAll(sampleToken, secret)}
          </pre>
        </details>
      ))}
      <p>
        <a href="/dashboard/credentials">{t('Back to the credentials')}</a>
      </p>
    </>
  );
  return { status: 200, title: t('New credential'), content };
};

const samplePlace = `{address}${policy.sandbox.mcpPath}`;
const sampleToken = `${policy.sandbox.tokenPrefix}...`;

/** The MCP clients for which connect-an-agent.md has a code block, each with the guide's text about it. */
const mcpClients = readFileSync(builtFile('src/web/reference/connect-an-agent.md'), 'utf8')
  .split(/^### /m)
  .flatMap((part) => {
    const [, name, about, code] = /^(.+)\n(.+)\n\n```\w+\n([\s\S]+?)\n```/.exec(part) ?? [];
    return name && about && code ? [{ name, about, code }] : [];
  });
