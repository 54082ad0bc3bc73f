import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';

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
