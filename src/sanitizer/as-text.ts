import { normalize } from './normalize.ts';

/** Matches HTML that text may have become: paragraphs, line breaks, and text. */
const ofText = /^(?:[^<]|<br>|<\/?p>)*$/;

/** A form asks several times for the same HTML; each answer parses it, which takes 12 ms for 30,000 characters. */
let last: readonly [html: string, text: string] = ['', ''];

/**
 * Returns the text that sanitizing turns into exactly this HTML: in a form, its lines are typed as lines. Returns the HTML unchanged if no text
 * is known to do so.
 */
export function asText(html: string): string {
  if (last[0] !== html) last = [html, textOf(html)];
  return last[1];
}

function textOf(html: string): string {
  if (!ofText.test(html)) return html;
  const text = html
    .replaceAll('</p><p>', '\n\n')
    .replaceAll('<br>', '\n')
    .replaceAll(/<\/?p>/g, '')
    .replaceAll('&gt;', '>')
    // Before a letter, it would begin a tag.
    .replaceAll(/&lt;(?![a-z/!?])/gi, '<')
    .replaceAll(/&amp;(?![\w#])/g, '&');
  const again = text === html ? undefined : normalize(text);
  return again?.kind === 'normal' && again.html === html ? text : html;
}
