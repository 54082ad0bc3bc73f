import { policy } from '../../domain/environment.ts';
import { Facts } from '../components/text.tsx';
import { renderPublicPage } from '../html-document.tsx';
import { portals } from '../portals.ts';
import { document, summary } from './contract.ts';
import { ContractMarkdown } from './contract-text.tsx';
import { type Texts, useTexts } from './texts.ts';

/** What a browser shows at the service's address. */
export function frontPage(publicUrl: string, texts: Texts): string {
  const { front, layout, environments } = texts;
  const title = front.title ?? document.info.title;
  const content = (
    <main id="content" class="container" tabIndex={-1}>
      <h1>{title}</h1>
      {front.summary === undefined ? <ContractMarkdown text={summary} /> : <p>{front.summary}</p>}
      <ul>
        <li>
          <a href="/docs">{layout.apiReference}</a>
          {front.docs}
        </li>
        <li>
          <a href={portals.company.base}>{layout.companyDashboard}</a>
          {front.dashboard}
        </li>
        <li>
          <ContractFiles />
        </li>
        <li>
          {front.llms}
          <a href="/llms.txt">llms.txt</a>.
        </li>
      </ul>
      <h2>{front.addresses}</h2>
      <Facts
        facts={(['sandbox', 'production'] as const).map((environment) => {
          const { restBase, mcpPath } = policy[environment];
          return [
            environments[environment].name,
            <>
              REST <code>{`${publicUrl}${restBase}`}</code>, MCP <code>{`${publicUrl}${mcpPath}`}</code>
            </>,
          ];
        })}
      />
    </main>
  );
  const description = (front.summary ?? summary).replace(/\s+/g, ' ');
  return renderPublicPage({ title, description, scripts: [] }, content);
}

/** Links to both forms of the contract. */
export const ContractFiles = () => (
  <>
    {useTexts().front.contract}
    <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>.
  </>
);
