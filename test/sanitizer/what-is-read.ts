import { JSDOM } from 'jsdom';

const blockNames = new Set(
  (
    'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
    'hgroup hr li listing main menu nav ol p pre search section summary ul xmp table caption thead tbody tfoot tr td th option optgroup legend'
  ).split(' '),
);

const { document } = new JSDOM('<!doctype html>').window;

/** Parses HTML as a browser does. */
export function parsed(html: string): HTMLElement {
  const container = document.createElement('div');
  container.innerHTML = html;
  return container;
}

/** The lines in which a browser shows HTML, like `innerText`: blocks, cells and `br` begin a new one. */
export function linesIn(html: string): string[] {
  const textOf = (node: Node): string => {
    if (node.nodeName === 'BR') return '\n';
    if (node.nodeName === '#text') {
      const value = node.nodeValue ?? '';
      return node.parentElement?.closest('pre, listing, xmp') ? value : value.replaceAll(/[\t\n\f\r ]+/g, ' ');
    }
    const inside = [...node.childNodes].map(textOf).join('');
    return blockNames.has(node.nodeName.toLowerCase()) ? `\n${inside}\n` : inside;
  };
  return textOf(parsed(html))
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}
