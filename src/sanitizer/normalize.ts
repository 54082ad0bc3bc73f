import { escapeAttribute, escapeText } from 'entities/escape';
import { foreignContent, type Token, Tokenizer, TokenizerMode } from 'parse5';
import { allowedTags, isAllowedLink } from './allow-list.ts';
import { elementsMax, htmlLengthMax } from './html-limits.ts';

export type Normalized = { kind: 'normal'; html: string } | { kind: 'long' } | { kind: 'complex' };

interface Element {
  readonly name: string;
  /** Its start tag; empty if it is removed with its content. */
  readonly tag: string;
}

const depthMax = 32;

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const allowed = new Set(allowedTags);
const voids = set('br hr');
const formatting = set('a b code em i s strong u');
const headings = set('h1 h2 h3 h4 h5 h6');
const foreign = set('svg math');
/** Inside `svg` and `math`, these contain HTML again. */
const integrationPoints = set('desc foreignobject mi mn mo ms mtext title');
/** DOMPurify removes these with their content. */
const hiding = new Set([
  ...[...foreign, ...integrationPoints],
  ...set(
    'annotation-xml audio iframe noembed noframes noscript plaintext script selectedcontent style template video xmp',
  ),
]);
const closingP = set(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li listing main menu nav ol p plaintext pre search section summary ul xmp',
);

/** An end tag inside these cannot close an element outside. */
const walls = new Set([...integrationPoints, ...set('table td template th')]);
const listWalls = new Set([...walls, 'ol', 'ul']);
const tableWalls = set('table template');

const tableLevels = new Map(Object.entries({ table: 0, thead: 1, tbody: 1, tr: 2, td: 3, th: 3 }));
const cellLevel = 3;
const impliedAtLevel = ['table', 'tbody', 'tr', 'td'];

const { RCDATA, RAWTEXT, SCRIPT_DATA, PLAINTEXT } = TokenizerMode;
const rawTextModes = new Map<string, Tokenizer['state']>([
  ...['title', 'textarea'].map((name) => [name, RCDATA] as const),
  ...['iframe', 'noembed', 'noframes', 'style', 'xmp'].map((name) => [name, RAWTEXT] as const),
  ['script', SCRIPT_DATA],
  ['plaintext', PLAINTEXT],
]);

/** Parsers read carriage returns as line feeds and drop form feeds at the start of a body. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?|\f/g, '\n');

function startTag({ tagName, attrs }: Token.TagToken): string {
  const href = tagName === 'a' ? attrs.find(({ name }) => name === 'href')?.value : undefined;
  if (href === undefined || !isAllowedLink(href)) return `<${tagName}>`;
  return `<${tagName} href="${escapeAttribute(withLineFeeds(href))}">`;
}

/** Handles the tokens of one body. Keeps the order of the text and closes every element that it opens. */
class Normalizer {
  html = '';
  elements = 0;
  readonly #tokenizer = new Tokenizer({}, this);
  readonly #open: Element[] = [];
  /** Open elements that are hidden. */
  #hidden = 0;
  /** Formatting elements that were closed with their parent; the next text reopens them. */
  #cutOff: Element[] = [];
  #isPreEmpty = false;

  run(html: string): void {
    this.#tokenizer.write(html, true);
    this.#closeTo(0);
  }

  onStartTag(token: Token.TagToken): void {
    const name = token.tagName;
    if (foreign.has(this.#top) && !foreignContent.causesExit(token)) {
      if (!token.selfClosing && (foreign.has(name) || integrationPoints.has(name))) this.#push({ name, tag: '' });
    } else {
      while (foreign.has(this.#top)) this.#close();
      this.#startHtml(name, token);
    }
    this.#tokenizer.inForeignNode = foreign.has(this.#top);
  }

  onEndTag(token: Token.TagToken): void {
    const name = token.tagName;
    const cutOff = this.#cutOff.findLastIndex((element) => element.name === name);
    if (name === 'br') this.#startHtml(name, token);
    else if (cutOff >= 0) this.#cutOff.splice(cutOff, 1);
    else if (name === 'p' && this.#find('p') < 0 && !this.#isBetweenCells()) this.#write('<p></p>', 1);
    else this.#closeTo(this.#find(name));
    this.#tokenizer.inForeignNode = foreign.has(this.#top);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    this.#enterCell();
    this.#text(chars);
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    this.#text(chars);
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  get #top(): string {
    return this.#open.at(-1)?.name ?? '';
  }

  #startHtml(name: string, token: Token.TagToken): void {
    if (closingP.has(name)) this.#closeTo(this.#find('p'));
    this.#tokenizer.state = rawTextModes.get(name) ?? this.#tokenizer.state;
    if (hiding.has(name)) {
      if (!foreign.has(name) || !token.selfClosing) this.#push({ name, tag: '' });
    } else if (allowed.has(name)) this.#startAllowed({ name, tag: startTag(token) });
  }

  #startAllowed(element: Element): void {
    const { name } = element;
    const level = tableLevels.get(name) ?? 0;
    if (level > 0) {
      if (this.#find('table') >= 0) this.#startInTable(level, element);
      return;
    }
    this.#enterCell();
    if (name === 'li') this.#closeTo(this.#find('li'));
    if (name === 'a') this.#onlyOneLink();
    if (headings.has(name) && headings.has(this.#top)) this.#close();
    if (!closingP.has(name) && name !== 'table') this.#reopen();
    if (voids.has(name)) this.#write(element.tag, 1);
    else this.#push(element);
  }

  #startInTable(level: number, element?: Element): void {
    while ((tableLevels.get(this.#top) ?? level) >= level) this.#close();
    for (let at = (tableLevels.get(this.#top) ?? 0) + 1; at < level; at += 1) {
      const name = impliedAtLevel[at] ?? '';
      this.#push({ name, tag: `<${name}>` });
    }
    if (element) this.#push(element);
  }

  #isBetweenCells = (): boolean => (tableLevels.get(this.#top) ?? cellLevel) < cellLevel;

  /** Puts table content that is outside of cells into a cell of its own; a parser would move it before the table. */
  #enterCell(): void {
    if (this.#isBetweenCells()) this.#startInTable(cellLevel + 1);
  }

  #onlyOneLink(): void {
    this.#closeTo(this.#find('a'));
    this.#cutOff = this.#cutOff.filter(({ name }) => name !== 'a');
  }

  #text(chars: string): void {
    const text = withLineFeeds(this.#isPreEmpty ? chars.replace(/^[\r\n\f]+/, '') : chars);
    if (this.#hidden > 0 || text === '') return;
    if (!this.#isBetweenCells()) this.#reopen();
    this.#write(escapeText(text), 0);
  }

  #reopen(): void {
    if (this.#hidden === 0) for (const element of this.#cutOff.splice(0)) this.#push(element);
  }

  /** Index of the open element that an end tag closes, or -1. */
  #find(name: string): number {
    const isWanted = headings.has(name) ? (other: string) => headings.has(other) : (other: string) => other === name;
    const bounds = tableLevels.has(name) ? tableWalls : name === 'li' ? listWalls : walls;
    const index = this.#open.findLastIndex((element) => isWanted(element.name) || bounds.has(element.name));
    return isWanted(this.#open[index]?.name ?? '') ? index : -1;
  }

  #push(element: Element): void {
    const isTablePart = (tableLevels.get(element.name) ?? 0) > 0;
    if (element.tag === '') this.#hidden += 1;
    else if (this.#open.length >= depthMax && !isTablePart) return;
    this.#write(element.tag, 1);
    this.#open.push(element);
    if (tableLevels.has(element.name)) this.#cutOff = [];
  }

  #close(): void {
    const element = this.#open.pop();
    if (!element) return;
    if (element.tag === '') this.#hidden -= 1;
    else this.#write(`</${element.name}>`, 0);
    if (tableLevels.has(element.name)) this.#cutOff = [];
  }

  /** Closes the element at `index` and everything inside it. -1 closes nothing. */
  #closeTo(index: number): void {
    while (index >= 0 && this.#open.length > index) {
      const inner = this.#open.slice(index + 1).at(-1);
      this.#close();
      if (inner && formatting.has(inner.name) && !this.#cutOff.some(({ name }) => name === inner.name))
        this.#cutOff.unshift(inner);
    }
  }

  #write(html: string, elements: number): void {
    if (this.#hidden > 0 || this.html.length > htmlLengthMax) return;
    this.html += html;
    this.#isPreEmpty = html === '<pre>';
    this.elements += elements;
  }
}

/**
 * Rewrites any HTML as well-formed HTML with only allowed elements, in one pass over its tokens. Parsing the result then takes time
 * linear in its length and number of elements. Keeps the visible text.
 */
export function normalize(html: string): Normalized {
  const normalizer = new Normalizer();
  normalizer.run(html);
  if (normalizer.elements > elementsMax) return { kind: 'complex' };
  if (normalizer.html.length > htmlLengthMax) return { kind: 'long' };
  return { kind: 'normal', html: normalizer.html };
}
