import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';
import { useTexts } from './texts/texts.ts';

interface HtmlDocumentProps {
  readonly title: string;
  readonly description: string;
  readonly scripts: readonly string[];
  readonly isIndexed: boolean;
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
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        {[assetPaths.pico, assetPaths.style].map((href) => (
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
      <body>
        <a class="skip" href="#content">
          {layout.skip}
        </a>
        {props.children}
      </body>
    </html>
  );
}
