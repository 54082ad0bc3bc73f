const blocks = new Set(
  (
    'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
    'hgroup hr li listing main menu nav ol p pre search section summary ul xmp table caption thead tbody tfoot tr td th option optgroup legend'
  ).split(' '),
);

/** The lines in which a browser shows an element's text, as `innerText` has them: blocks, cells and `br` begin another. */
export function linesOf(element: Element): string[] {
  const textOf = (node: Node): string => {
    if (node.nodeName === 'BR') return '\n';
    const inside = node.nodeName === '#text' ? (node.nodeValue ?? '') : [...node.childNodes].map(textOf).join('');
    return blocks.has(node.nodeName.toLowerCase()) ? `\n${inside}\n` : inside;
  };
  return textOf(element)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
