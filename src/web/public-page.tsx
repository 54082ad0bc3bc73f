import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPaths } from './assets.ts';
import { portals } from './portals.ts';

interface PublicPageProps {
  readonly title: string;
  /** For search engines, in a sentence or two. */
  readonly description: string;
  readonly scripts: readonly string[];
  readonly children: ComponentChildren;
}

/** A page that anybody may read and search engines may list. */
const PublicPage = ({ title, description, scripts, children }: PublicPageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="description" content={description} />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      {[assetPaths.pico, assetPaths.style, assetPaths.publicStyle].map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {scripts.map((src) => (
        <script key={src} src={src} defer />
      ))}
    </head>
    <body class="public">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="container">
        <nav aria-label="Site" class="site">
          <a class="brand" href="/">
            <strong>Vaga</strong>
          </a>
          <a href="/docs">API reference</a>
          <a href={portals.company.base}>Company dashboard</a>
        </nav>
      </header>
      {children}
    </body>
  </html>
);

export const renderPublicPage = (page: Omit<PublicPageProps, 'children'>, content: VNode): string =>
  `<!DOCTYPE html>${renderToString(<PublicPage {...page}>{content}</PublicPage>)}`;
