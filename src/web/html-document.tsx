import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPaths } from './assets.ts';
import { languages } from './language.ts';
import { portals } from './portals.ts';
import { TContext, useT } from './texts/t.ts';

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
  const t = useT();
  return (
    <html lang={t.tag}>
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
            data-copy={t('Copy')}
            data-copied={t('Copied')}
            data-selected={t('Selected. Copy it with the keyboard.')}
          />
        ))}
      </head>
      <body class={props.bodyClass}>
        <a class="skip" href="#content">
          {t('Skip to the content')}
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
}

/** Renders an English page that needs no sign-in and that search engines may index. */
export function renderPublicPage(page: PublicPage, content: VNode): string {
  const { t } = languages.en;
  const html = renderToString(
    <TContext.Provider value={t}>
      <HtmlDocument {...page} stylesheets={[assetPaths.publicStyle]} isIndexed bodyClass="public">
        <header class="container">
          <nav aria-label={t('Site')} class="site">
            <a class="brand" href="/">
              <strong>Vaga</strong>
            </a>
            <a href="/docs">{t('API reference')}</a>
            <a href={portals.company.base}>{t('Company dashboard')}</a>
          </nav>
        </header>
        {content}
      </HtmlDocument>
    </TContext.Provider>,
  );
  return `<!DOCTYPE html>${html}`;
}
