import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPaths } from './assets.ts';
import { HtmlDocument } from './html-document.tsx';
import { portals } from './portals.ts';

interface PublicPage {
  readonly title: string;
  /** For search engines, in a sentence or two. */
  readonly description: string;
  readonly scripts: readonly string[];
}

/** Renders a page that needs no sign-in and that search engines may index. */
export function renderPublicPage(page: PublicPage, content: VNode): string {
  const html = renderToString(
    <HtmlDocument {...page} stylesheets={[assetPaths.publicStyle]} isIndexed bodyClass="public">
      <header class="container">
        <nav aria-label="Site" class="site">
          <a class="brand" href="/">
            <strong>Vaga</strong>
          </a>
          <a href="/docs">API reference</a>
          <a href={portals.company.base}>Company dashboard</a>
        </nav>
      </header>
      {content}
    </HtmlDocument>,
  );
  return `<!DOCTYPE html>${html}`;
}
