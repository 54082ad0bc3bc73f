import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPaths } from './assets.ts';
import { LanguageSwitch } from './components/language-switch.tsx';
import { portals } from './portals.ts';
import { type Texts, TextsContext, useTexts } from './texts/texts.ts';

interface HtmlDocumentProps {
  readonly title: string;
  readonly description: string;
  /** Besides the style sheets of every page. */
  readonly stylesheets?: readonly string[];
  readonly scripts: readonly string[];
  readonly isIndexed: boolean;
  readonly bodyClass?: string;
  readonly children: ComponentChildren;
}

/** The HTML document of every page. Its children are a header and an element with the id `content`. */
export function HtmlDocument(props: HtmlDocumentProps) {
  const { tag, layout } = useTexts();
  return (
    <html lang={tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {!props.isIndexed && <meta name="robots" content="noindex" />}
        <meta name="description" content={props.description} />
        <title>{props.title}</title>
        <link rel="icon" href="data:," />
        {[assetPaths.pico, assetPaths.style, ...(props.stylesheets ?? [])].map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {props.scripts.map((src) => (
          <script
            key={src}
            src={src}
            defer
            data-copy={layout.copy}
            data-copied={layout.copied}
            data-selected={layout.selected}
          />
        ))}
      </head>
      <body class={props.bodyClass}>
        <a class="skip" href="#content">
          {layout.skip}
        </a>
        {props.children}
      </body>
    </html>
  );
}

interface PublicPage {
  readonly title: string;
  /** For search engines, in a sentence or two. */
  readonly description: string;
  readonly scripts: readonly string[];
  readonly path: string;
}

/** Renders a page that needs no sign-in and that search engines may index. */
export function renderPublicPage(texts: Texts, page: PublicPage, content: VNode): string {
  const { layout } = texts;
  const html = renderToString(
    <TextsContext.Provider value={texts}>
      <HtmlDocument {...page} stylesheets={[assetPaths.publicStyle]} isIndexed bodyClass="public">
        <header class="container">
          <nav aria-label={layout.site} class="site">
            <a class="brand" href="/">
              <strong>Vaga</strong>
            </a>
            <a href="/docs">{layout.apiReference}</a>
            <a href={portals.company.base}>{layout.companyDashboard}</a>
            <LanguageSwitch next={page.path} />
          </nav>
        </header>
        {content}
      </HtmlDocument>
    </TextsContext.Provider>,
  );
  return `<!DOCTYPE html>${html}`;
}
