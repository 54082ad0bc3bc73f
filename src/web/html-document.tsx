import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';
import { useT } from './texts/t.ts';

interface HtmlDocumentProps {
  readonly title: string;
  readonly description: string;
  readonly isIndexed: boolean;
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
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="stylesheet" href={assetPaths.oat} />
        <link rel="stylesheet" href={assetPaths.style} />
        <script
          src={assetPaths.script}
          defer
          data-copy={t('Copy')}
          data-copied={t('Copied')}
          data-selected={t('Selected. Copy it with the keyboard.')}
          data-show={t('Show password')}
        />
      </head>
      <body>
        <a class="skip" href="#content">
          {t('Skip to the content')}
        </a>
        {props.children}
      </body>
    </html>
  );
}
