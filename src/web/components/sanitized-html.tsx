import { decodeHTML } from 'entities/decode';
import { addressAsRead } from '../../domain/https-address.ts';

/** The only place for raw HTML that people send: it is sanitized before it is stored or shown in a preview. */
export const SanitizedHtml = ({ html }: { readonly html: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: html }} />
);

/** The addresses of the links in sanitized HTML, each once, as browsers read them: the text of a link may name another address. */
export const linkedAddresses = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/<a href="([^"]*)">/g), ([, href = '']) => addressAsRead(decodeHTML(href)))),
];
