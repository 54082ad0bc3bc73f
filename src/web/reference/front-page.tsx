import { renderToString } from 'preact-render-to-string';
import { policy } from '../../domain/environment.ts';
import { Facts } from '../components/text.tsx';
import { HtmlDocument, LanguageSwitch } from '../layout.tsx';
import { PageRequestContext } from '../page.ts';
import { portals } from '../portals.ts';
import { type Language, languages } from '../texts/language.ts';
import { summary, title } from './docs-page.tsx';

const parts = [
  ['API reference', '/docs', 'Quick start, and every operation, which you can try in the sandbox.'],
  ['Company dashboard', portals.company.base, "Your company's credentials, jobs and requests."],
  ['Administration', portals.administrator.base, 'For those who run this service.'],
] as const;

/** Without PUBLIC_URL, a script adds the page's own address before the path. */
const addresses = [
  ['Sandbox, REST', policy.sandbox.restBase],
  ['Sandbox, MCP', policy.sandbox.mcpPath],
  ['Production, REST', policy.production.restBase],
  ['Production, MCP', policy.production.mcpPath],
] as const;

/** The front page as JSON, for clients that do not prefer HTML. */
export function frontDocument(publicUrl: string): string {
  const at = (path: string): string => publicUrl + path;
  const environment = ({ restBase, mcpPath }: { restBase: string; mcpPath: string }) => ({
    rest: at(restBase),
    mcp: at(mcpPath),
  });
  return JSON.stringify({
    name: title,
    description: summary,
    sandbox: environment(policy.sandbox),
    production: environment(policy.production),
    openapi: at('/openapi.json'),
    llms: at('/llms.txt'),
    reference: at('/docs'),
    dashboard: at(portals.company.base),
  });
}

/** A fixed request to render the front page with, because the page is the same for all readers of a language. */
const front = {
  portal: 'company',
  method: 'GET',
  timeZone: 'UTC',
  arrivedAt: new Date(0),
  now: new Date(0),
  clock: () => new Date(0),
  path: '/',
  address: '/',
  query: new URLSearchParams(),
  support: undefined,
} as const;

/** Renders the front page, for browsers. */
export function frontPage(publicUrl: string, language: Language): string {
  const { t } = languages[language];
  const description = t(
    'A company creates, changes and withdraws its job offers from its own programs and AI agents, and follows them in a dashboard.',
  );
  return `<!DOCTYPE html>${renderToString(
    <HtmlDocument t={t} title={t('Vaga: job offers by API')} description={description} isIndexed>
      <header class="container mt-4 hstack justify-between">
        <strong>Vaga</strong>
        <PageRequestContext.Provider value={{ ...front, t }}>
          <LanguageSwitch />
        </PageRequestContext.Provider>
      </header>
      <main id="content" class="container mt-4 mb-6" tabIndex={-1}>
        <h1>{t('Vaga: job offers by API')}</h1>
        <p>{description}</p>
        <div class="row">
          {parts.map(([name, href, text]) => (
            <article key={href} class="col-4">
              <h2>
                <a href={href}>{t(name)}</a>
              </h2>
              <p>{t(text)}</p>
            </article>
          ))}
        </div>
        <div class="row">
          <article class="col-8">
            <h2>{t('Addresses')}</h2>
            <Facts
              facts={addresses.map(([name, path]) => [
                t(name),
                <code key={path} data-copy data-path={publicUrl === '' ? path : undefined}>
                  {publicUrl + path}
                </code>,
              ])}
            />
          </article>
          <article class="col-4">
            <h2>{t('For programs')}</h2>
            <p>
              {t('Contract (OpenAPI)')}: <a href="/openapi.yaml">openapi.yaml</a>,{' '}
              <a href="/openapi.json">openapi.json</a>
            </p>
            <p>
              {t('For language models')}: <a href="/llms.txt">llms.txt</a>
            </p>
          </article>
        </div>
      </main>
    </HtmlDocument>,
  )}`;
}
