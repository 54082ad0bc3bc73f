import { escapeAttribute, escapeText } from 'entities/escape';
import { ErrorCodes, foreignContent, type ParserError, type Token, Tokenizer, TokenizerMode } from 'parse5';
import { type HtmlSize, htmlMax } from '../domain/field-rules.ts';
import { addSize, allowedTags, elementsMax, hidingTags, isWithin, keptAttributes } from './html-rules.ts';
import { type Style, styleOf } from './style.ts';
import { isEscapedHtml, textAsHtml, withTextEscaped } from './text.ts';

export type Normalized =
  | { kind: 'normal'; html: string }
  /** Too long. `text` is the size of the escaped text only; `escaping` counts the characters that escaping adds to text and links. */
  | { kind: 'long'; total: HtmlSize; text: HtmlSize; escaping: number }
  | { kind: 'complex'; elements: number }
  /** All tags of the body are escaped. */
  | { kind: 'escaped' };

interface Element {
  readonly name: string;
  /** The start tag. Empty if only the content is kept. */
  readonly tag: string;
  /** Removed together with its content. */
  readonly isHidden?: boolean;
  /** An inline element that is not kept, but whose style matters to its content. */
  readonly isSpan?: boolean;
  /** A line ends with it. */
  readonly endsLine?: boolean;
  /** Whether line feeds in it are shown. Undefined if that is inherited. */
  readonly keepsLines?: boolean | undefined;
  /** Whether its children are blocks. */
  readonly hasBlocks?: boolean | undefined;
  /** The position of its start tag in the result. */
  readonly at?: number;
  /**
   * The formatting that waited when a hidden template or drawing began. What begins in there ends with it, because no end tag in there closes what
   * is outside. A table always ends the formatting that waits.
   */
  readonly waiting?: Element[];
  /** The HTML of a table's `tfoot`. It is written last, because browsers show it last wherever it is. */
  foot?: string;
}

/** Whether the current line has text. `ended` means that it has text and that later content must begin a new line. */
type Line = 'empty' | 'text' | 'ended';

const depthMax = 32;
/** The most open elements, including those whose tags are not written. */
const openMax = 2 * depthMax;
/** How many tags and comments without an end are read again as text. After that many, no `<` in the rest begins a tag. */
const unendedMax = 8;

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const allowed = new Set(allowedTags);
const voids = set('br hr');
/** Elements without an end tag. */
const neverOpen = set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);
const formatting = set('a b code em i s strong sub sup u');
const headings = set('h2 h3 h4');
/** Elements that are treated like another element. */
const nearest = new Map(
  Object.entries({
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    dir: 'ul',
    menu: 'ul',
    listing: 'pre',
    plaintext: 'pre',
    xmp: 'pre',
    dt: 'dd',
    del: 's',
    strike: 's',
    ins: 'u',
  }),
);
/** Elements that are not kept. Their content becomes paragraphs if it is in no other block. */
const containers = set(
  'address article aside center dd details dialog div dl fieldset figcaption figure footer form header hgroup main nav search section summary',
);
/** Elements that are not kept, but begin and end a line. */
const lines = set('caption legend optgroup option select textarea');
const foreign = set('svg math');
const hiding = new Set(hidingTags);
/** Elements inside `svg` and `math` that contain HTML again. */
const integrationPoints = set('desc foreignobject mi mn mo ms mtext title');
const closingP = new Set([...containers, ...set('blockquote h2 h3 h4 hr li ol p pre table ul')]);

/** An end tag inside one of these elements cannot close an element outside it. */
const walls = new Set([...integrationPoints, ...set('table td template th')]);
const listWalls = new Set([...walls, 'ol', 'ul']);
const tableWalls = set('table template');

const tableLevels = new Map(Object.entries({ table: 0, thead: 1, tbody: 1, tfoot: 1, tr: 2, td: 3, th: 3 }));
const cellLevel = 3;
const impliedAtLevel = ['table', 'tbody', 'tr', 'td'];

const { RCDATA, RAWTEXT, SCRIPT_DATA, PLAINTEXT } = TokenizerMode;
const rawTextModes = new Map<string, Tokenizer['state']>([
  ...['title', 'textarea'].map((name) => [name, RCDATA] as const),
  ...['iframe', 'noembed', 'noframes', 'style', 'xmp'].map((name) => [name, RAWTEXT] as const),
  ['script', SCRIPT_DATA],
  ['plaintext', PLAINTEXT],
]);

/** Replaces what parsers would change: they read carriage returns as line feeds, and drop form feeds at the start of a body. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?|\f/g, '\n');

const attributeOf = ({ attrs }: Token.TagToken, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value;

/** Returns '' for a link with a forbidden address. */
function startTag(name: string, token: Token.TagToken): string {
  const attributes = Object.entries(keptAttributes[name] ?? {}).map(([attribute, kept]) => {
    const value = kept(attributeOf(token, attribute) ?? '');
    return value === undefined ? '' : ` ${attribute}="${escapeAttribute(withLineFeeds(value))}"`;
  });
  const tag = `<${name}${attributes.join('')}>`;
  return tag === '<a>' ? '' : tag;
}

const isInline = ({ name, isSpan }: Element): boolean => isSpan === true || formatting.has(name);

/** Finds the tag or comment that the end of the text cuts off. */
class BodyTokenizer extends Tokenizer {
  get unfinishedAt(): number | undefined {
    return this.currentToken?.location?.startOffset;
  }
}

/** Rewrites the tokens of one body. Closes every element that it opens. Keeps the order of the text, but moves a table's foot to its end. */
class Normalizer {
  html = '';
  elements = 0;
  total: HtmlSize = { characters: 0, bytes: 0 };
  text: HtmlSize = this.total;
  escaping = 0;
  readonly #limits: HtmlSize;
  hasTags = false;
  #tokenizer = new BodyTokenizer({}, this);
  /** The position, in the text read last, of a tag or comment without an end. */
  #unendedAt: number | undefined;
  readonly #open: Element[] = [];
  /** How many open elements are hidden, and how many are written. */
  #hidden = 0;
  #depth = 0;
  /** Formatting elements that closed with their parent or wait for a paragraph. They are opened again before the next text. */
  #cutOff: Element[] = [];
  #isPreEmpty = false;
  /** Whether some blocks were left out or closed early, so that their end tags match no open element. */
  #isFlattened = false;
  #line: Line = 'empty';

  constructor(limits: HtmlSize) {
    this.#limits = limits;
  }

  run(html: string): void {
    let text = withTextEscaped(html);
    for (let left = unendedMax; text !== ''; left -= 1) {
      this.#tokenizer = new BodyTokenizer({ sourceCodeLocationInfo: true }, this);
      this.#tokenizer.inForeignNode = foreign.has(this.#top);
      this.#unendedAt = undefined;
      this.#tokenizer.write(text, true);
      const rest = this.#unendedAt === undefined ? '' : text.slice(this.#unendedAt);
      text = left > 0 ? rest.replace('<', '&lt;') : rest.replaceAll('<', '&lt;');
    }
    this.#closeTo(0);
  }

  onStartTag(token: Token.TagToken): void {
    const name = token.tagName;
    this.hasTags = true;
    if (foreign.has(this.#top) && !foreignContent.causesExit(token)) {
      if (!token.selfClosing && (foreign.has(name) || integrationPoints.has(name))) this.#hide(name);
    } else {
      while (foreign.has(this.#top)) this.#close();
      this.#tokenizer.state = rawTextModes.get(name) ?? this.#tokenizer.state;
      this.#startHtml(nearest.get(name) ?? name, token);
    }
    this.#tokenizer.inForeignNode = foreign.has(this.#top);
  }

  onEndTag(token: Token.TagToken): void {
    this.hasTags = true;
    const name = nearest.get(token.tagName) ?? token.tagName;
    const cutOff = this.#cutOff.findLastIndex((element) => element.name === name);
    if (name === 'br') this.#startHtml(name, token);
    else if (cutOff >= 0) this.#cutOff.splice(cutOff, 1);
    else {
      this.#closeTo(this.#find(name));
      // Parsers read a stray `</p>` as an empty paragraph.
      if (name === 'p' || lines.has(name) || (this.#isFlattened && closingP.has(name))) this.#endLine();
    }
    this.#tokenizer.inForeignNode = foreign.has(this.#top);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    this.#enterCell();
    this.#text(chars, 'text');
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    const lineFeeds = this.#open.at(-1)?.keepsLines ? withLineFeeds(chars).split('\n').length - 1 : 0;
    if (lineFeeds > 0 && !this.#isBetweenCells()) this.#endLines(lineFeeds);
    else if (this.#isBetweenCells() || containers.has(this.#top) || this.#line === 'ended')
      this.#writeText(chars, this.#line);
    else this.#text(chars, this.#line);
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  onParseError({ code }: ParserError): void {
    if (code === ErrorCodes.eofInTag || code === ErrorCodes.eofInComment)
      this.#unendedAt = this.#tokenizer.unfinishedAt;
  }

  get #top(): string {
    return this.#open.findLast(({ isSpan }) => !isSpan)?.name ?? '';
  }

  #startHtml(name: string, token: Token.TagToken): void {
    if (closingP.has(name)) this.#closeTo(this.#find('p'));
    const style = styleOf(attributeOf(token, 'style'), attributeOf(token, 'hidden'));
    if (style.isHidden && !neverOpen.has(name) && !lines.has(name)) {
      this.#closeBefore(name);
      this.#hide(name);
    } else if (hiding.has(name)) {
      if (!foreign.has(name) || !token.selfClosing) this.#hide(name);
    } else if (containers.has(name)) this.#startContainer(name, style);
    else if (lines.has(name)) this.#endLine();
    else if (allowed.has(name) || !neverOpen.has(name)) this.#startOther(name, token, style);
  }

  /** Starts what is kept, or an inline element that is not. */
  #startOther(name: string, token: Token.TagToken, { keepsLines, hasBlocks, ...style }: Style): void {
    const parent = this.#cutOff.at(-1) ?? this.#open.at(-1);
    const isBlock = style.isBlock || parent?.hasBlocks === true;
    const isKept = allowed.has(name);
    if (isKept && !formatting.has(name) && name !== 'a') {
      this.#startAllowed({ name, tag: startTag(name, token), keepsLines, hasBlocks });
      return;
    }
    if (isBlock) this.#endLine();
    const inherited = parent?.keepsLines ?? false;
    const ofStyle = { endsLine: isBlock, keepsLines: keepsLines ?? inherited, hasBlocks };
    // Google Docs wraps copied text in `<b style="font-weight:normal">`.
    const isNormal = style.isNormalWeight && (name === 'b' || name === 'strong');
    if (isKept) this.#startAllowed({ name, tag: isNormal ? '' : startTag(name, token), ...ofStyle });
    else if (isBlock || ofStyle.keepsLines !== inherited || this.#hasSpan(name))
      this.#startAllowed({ name, tag: '', isSpan: true, ...ofStyle });
  }

  /** Whether the next end tag of this name may end a span. */
  #hasSpan = (name: string): boolean =>
    [this.#open, this.#cutOff].some((elements) => elements.some((one) => one.isSpan && one.name === name));

  #startContainer(name: string, { keepsLines, hasBlocks }: Style): void {
    if (name === 'dd' && this.#top === 'dd') {
      this.#isFlattened = true;
      this.#close();
    }
    this.#endLine();
    if (!this.#isBetweenCells()) this.#push({ name, tag: '', keepsLines, hasBlocks });
  }

  #startAllowed(element: Element): void {
    const { name } = element;
    const level = tableLevels.get(name) ?? 0;
    if (level > 0) {
      if (this.#find('table') >= 0) this.#startInTable(level, element);
      else if (this.#isFlattened) this.#endLine();
      return;
    }
    this.#enterCell();
    this.#closeBefore(name);
    if (name === 'a') this.#onlyOneLink();
    if (name === 'a' && element.tag === '') return;
    if (isInline(element) && containers.has(this.#top)) {
      if (this.#cutOff.length < depthMax) this.#cutOff.push(element);
      return;
    }
    if (isInline(element) || name === 'br') this.#startLine();
    // In a container, formatting that waits for a paragraph must contain the table. Elsewhere, parsers reopen no formatting before a table.
    else if (name === 'table' && containers.has(this.#top)) this.#reopen();
    if (voids.has(name)) this.#writeTag(name, element.tag);
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

  /** Puts table content outside cells into a cell of its own; a parser would move it before the table. */
  #enterCell(): void {
    if (this.#isBetweenCells()) this.#startInTable(cellLevel + 1);
  }

  /**
   * Closes the open elements that must not contain a `name` element in the result. A parser of the sent HTML may leave some of them open,
   * because of an element in between that the result lacks.
   */
  #closeBefore(name: string): void {
    const parent = this.#open.findLastIndex(({ tag, isHidden }) => tag !== '' || isHidden);
    const isInHeading = headings.has(name) && headings.has(this.#open[parent]?.name ?? '');
    const index = isInHeading ? parent : name === 'li' ? this.#find('li') : -1;
    this.#isFlattened ||= isInHeading || (index >= 0 && index < this.#open.length - 1);
    this.#closeTo(index);
  }

  #onlyOneLink(): void {
    this.#closeTo(this.#find('a'));
    this.#cutOff = this.#cutOff.filter(({ name }) => name !== 'a');
  }

  #text(chars: string, line: Line): void {
    this.#startLine();
    this.#writeText(chars, line);
  }

  #writeText(chars: string, line: Line): void {
    const text = withLineFeeds(this.#isPreEmpty ? chars.replace(/^[\r\n\f]+/, '') : chars);
    if (text === '' || this.#hidden > 0) return;
    const html = escapeText(text);
    this.text = addSize(this.text, html);
    this.#write(html, line);
  }

  #endLine(): void {
    if (this.#line === 'text' && this.#hidden === 0) this.#line = 'ended';
  }

  /** Ends the line, which may be the one that the next text begins, as often as line feeds that are shown do. */
  #endLines(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      if (this.#line === 'ended') {
        this.#writeTag('br', '<br>');
        this.#line = 'ended';
      } else this.#endLine();
    }
  }

  /** Prepares for text: opens a paragraph if needed, writes `<br>` if the last line has ended, and reopens formatting. */
  #startLine(): void {
    if (this.#hidden > 0) return;
    // Text that follows a table inside formatting has begun a line without a paragraph.
    if (containers.has(this.#top) && this.#line !== 'text' && !this.#isInLine())
      this.#push({ name: 'p', tag: '<p>', hasBlocks: this.#open.at(-1)?.hasBlocks });
    if (this.#line === 'ended') this.#writeTag('br', '<br>');
    this.#reopen();
  }

  /** Whether the innermost written block cannot contain paragraphs. */
  #isInLine(): boolean {
    const block = this.#open.findLast(({ name, tag }) => tag !== '' && !formatting.has(name))?.name ?? '';
    return block === 'pre' || headings.has(block);
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

  #hide(name: string): void {
    this.#hidden += 1;
    const isWall = walls.has(name);
    this.#open.push({ name, tag: '', isHidden: true, ...(isWall && { waiting: this.#cutOff }) });
    if (isWall) this.#cutOff = [];
  }

  #push(element: Element): void {
    const { name, tag } = element;
    // In `pre`, line feeds stay as they are.
    const isInPre = name === 'pre' || this.#open.some((one) => one.name === 'pre');
    const keepsLines = isInPre ? false : (element.keepsLines ?? this.#open.at(-1)?.keepsLines);
    const isTablePart = (tableLevels.get(name) ?? 0) > 0;
    if (tag === '' ? this.#open.length >= openMax : this.#depth >= depthMax && !isTablePart) {
      if (!isInline(element)) this.#endLine();
      this.#isFlattened = true;
      return;
    }
    const at = this.html.length;
    if (tag !== '') {
      this.#depth += 1;
      this.#writeTag(name, tag);
    }
    this.#open.push({ ...element, keepsLines, at });
    if (tableLevels.has(name)) this.#cutOff = [];
  }

  #close(): void {
    const element = this.#open.pop();
    if (!element) return;
    const { name, tag, isHidden, endsLine, at, waiting, foot = '' } = element;
    if (isHidden) this.#hidden -= 1;
    this.#cutOff = waiting ?? this.#cutOff;
    if (tag !== '') {
      this.#depth -= 1;
      this.html += foot;
      this.#write(`</${name}>`, formatting.has(name) ? this.#line : 'empty');
      if (name === 'tfoot') this.#moveToFoot(at);
    } else if (containers.has(name)) this.#endLine();
    if (endsLine) this.#endLine();
    if (tableLevels.has(name)) this.#cutOff = [];
  }

  #moveToFoot(at: number | undefined): void {
    const table = this.#open.findLast(({ name }) => name === 'table');
    if (table) table.foot = (table.foot ?? '') + this.html.slice(at);
    this.html = this.html.slice(0, at);
  }

  /** Closes the element at `index` and everything inside it. -1 closes nothing. */
  #closeTo(index: number): void {
    while (index >= 0 && this.#open.length > index) {
      const inner = this.#open.length > index + 1 ? this.#open.at(-1) : undefined;
      this.#close();
      if (inner && !inner.isHidden && isInline(inner)) {
        // One tag of each name is enough, but every element has to wait for its end tag, which would otherwise end another.
        const hasTag = !this.#cutOff.some(({ name }) => name === inner.name);
        this.#cutOff.unshift(hasTag ? inner : { ...inner, tag: '' });
      }
    }
  }

  #writeTag(name: string, tag: string): void {
    if (this.#hidden === 0) this.elements += 1;
    this.#write(tag, formatting.has(name) ? this.#line : 'empty');
  }

  #write(html: string, line: Line): void {
    if (this.#hidden > 0) return;
    this.#line = line;
    this.total = addSize(this.total, html);
    if (html.includes('&')) this.escaping += html.length - html.replaceAll(/&\w+;/g, ' ').length;
    if (isWithin(this.total, this.#limits)) this.html += html;
    this.#isPreEmpty = html === '<pre>';
  }
}

/**
 * Rewrites any HTML as well-formed HTML with only allowed elements, in one pass over its tokens. Parsing the result then takes time
 * linear in its length and number of elements. Keeps the visible text. A body without tags is read as plain text.
 */
export function normalize(sent: string, limits = htmlMax): Normalized {
  const normalizer = new Normalizer(limits);
  normalizer.run(sent);
  const { elements, total, text, escaping } = normalizer;
  if (elements > elementsMax) return { kind: 'complex', elements };
  if (!isWithin(total, limits)) return { kind: 'long', total, text, escaping };
  if (normalizer.html.includes('<')) return { kind: 'normal', html: normalizer.html };
  return withoutTags(normalizer.html, normalizer.hasTags, limits);
}

/**
 * Finishes a result without tags. Plain text becomes HTML. If the body was HTML whose tags were all removed, its text becomes one paragraph
 * if a second pass would otherwise read the text as HTML or as several lines.
 */
function withoutTags(text: string, wasHtml: boolean, limits: HtmlSize): Normalized {
  const isEscaped = isEscapedHtml(text);
  if (isEscaped && !wasHtml) return { kind: 'escaped' };
  const lines = textAsHtml(text);
  const html = wasHtml && (isEscaped || lines !== text) ? `<p>${text}</p>` : lines;
  const elements = html.split(/<(?!\/)/).length - 1;
  if (elements > elementsMax) return { kind: 'complex', elements };
  const [total, ofText] = [html, text].map((part) => addSize({ characters: 0, bytes: 0 }, part)) as [
    HtmlSize,
    HtmlSize,
  ];
  return isWithin(total, limits)
    ? { kind: 'normal', html }
    : { kind: 'long', total, text: ofText, escaping: total.characters };
}
