import {
  type CreateNodeOptions,
  Document,
  isCollection,
  isScalar,
  parse as parseValue,
  Scalar,
  type ToStringOptions,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Json, mistakeAt, parse } from './document.ts';

/** Plain words that YAML 1.1 reads as a boolean, a number, a time or a merge key, and YAML 1.2 as something else, or the reverse. */
const ambiguous =
  /^(y|n|yes|no|on|off|[-+]?0[\d_]+|[-+]?0[box]\w+|[-+]?(?=[\d.]+_)[\d_.]+(e[-+]?\d+)?|[-+]\.\d+|[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?|[-+]?(\d+\.?|\d*\.\d+)e[-+]?\d+|[-+]?\.(inf|nan)|\d{4}-\d\d?-\d\d?([t\s].*)?|<<|=)$/i;

/** The characters that YAML 1.1 does not know, or that break a line in it only, and tabs, which may be spaces or a mistake. */
const unreadable = /\r(?!\n)|[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether some YAML parser reads a text otherwise, or not at all, if it has no quotes. */
const needsQuotes = (text: string, inFlow: boolean): boolean =>
  ambiguous.test(text) || text.search(unreadable) >= 0 || text.includes('\r') || (inFlow && /^:|\?/.test(text));

/** Whether a block of lines would need the sign + to keep the line ends of a text. */
const keepsLineEnds = (text: string): boolean => /\n\s+$|^\s*\n\s*$/.test(text);

/** Returns YAML that all parsers read alike. */
export function spelled(value: Json, options: ToStringOptions & CreateNodeOptions = {}): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  const inFlow = options.collectionStyle === 'flow';
  visit(document, {
    Scalar: (_key, scalar) => {
      const { value } = scalar;
      if (typeof value !== 'string') return;
      const isChanged = inFlow ? value.includes('\n') : keepsLineEnds(value);
      if (isChanged || needsQuotes(value, inFlow)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ blockQuote: 'literal', ...options }).replaceAll(unreadable, escaped);
}

/** Throws a YAMLParseError for the first place that YAML parsers read differently. */
export function checkSpelling(yaml: string): void {
  const { document, lines } = parse(yaml);
  const fail = (start: number, message: string): never => {
    throw mistakeAt(lines, [start, start + 1], message);
  };
  // A byte order mark may be the first character.
  const [character] = yaml.replace(/^\ufeff/, ' ').matchAll(unreadable);
  if (character) {
    const blank = character[0] === '\t' ? 'spaces' : 'nothing';
    const instead = `write ${blank}, or in a text ${escaped(character[0])} between double quotes`;
    fail(character.index, `${escaped(character[0])} is no character for all YAML tools; ${instead}`);
  }
  visit(document, {
    Value: (key, node, path) => {
      const inFlow = path.some((one) => isCollection(one) && one.flow === true);
      const fault = faultOf(node, yaml, inFlow, key === 'key');
      if (fault !== undefined) fail(node.range?.[0] ?? 0, fault);
    },
  });
}

/** Says what to write instead of a node that YAML parsers read differently. Undefined if all read it alike. */
function faultOf(node: Scalar | YAMLMap | YAMLSeq, yaml: string, inFlow: boolean, isKey: boolean): string | undefined {
  const text = yaml.slice(...(node.range ?? [0, 0]).slice(0, 2));
  if (node.tag !== undefined) return `has the tag ${node.tag}, which not every tool knows; leave it out`;
  if (node.anchor !== undefined) return `has the anchor &${node.anchor}, which has no effect; leave it out`;
  if (isKey && (!isScalar(node) || text.includes('\n'))) return 'is no key for all YAML tools; write a word';
  if (!isScalar(node)) return undefined;
  const { type, source = '', value } = node;
  const [header, style] = /^([|>])\d?\+/.exec(text) ?? [];
  if (type !== Scalar.PLAIN) return header && `keeps line ends: write ${style} without +`;
  const isOther = isKey && typeof value !== 'string' && !/^\d+$/.test(source);
  if (!isOther && !needsQuotes(source, inFlow)) return undefined;
  const isOneWord = typeof value !== 'number' && ambiguous.test(source);
  const meant = isOneWord ? parseValue(source, { version: '1.1' }) : value;
  const instead = typeof meant === 'number' ? 'the number in digits' : typeof meant === 'boolean' && String(meant);
  return `${source.replaceAll('\n', ' ')} is another value in YAML 1.1, which many tools read; write ${instead && !isKey ? `${instead}, or a text between quotes` : 'quotes around it'}`;
}
