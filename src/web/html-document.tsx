import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPaths } from './assets.ts';
import { portals } from './portals.ts';

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
export const HtmlDocument = (props: HtmlDocumentProps) => (
  <html lang="en">
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
        <script key={src} src={src} defer />
      ))}
    </head>
    <body class={props.bodyClass}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      {props.children}
    </body>
  </html>
);

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
