import { rulesOf } from '../domain/field-rules.ts';
import { optionLabel } from './labels.ts';
import type { Translate } from './texts/language.ts';

/** The API's message about a field, up to its advice for programs, and the text for people if it differs. */
const texts: readonly (readonly [said: string, text?: string])[] = [
  ['is required', 'must be given'],
  ['is required when {{field}} is {{value}}', 'must be given when {{field}} is {{value}}'],
  ['is the word null', 'must be left empty if there is none'],
  ['must have at least 1 character', 'must be given'],
  ['must have at least {{min}} characters'],
  ['must have at most {{max}} characters, not {{size}}'],
  [
    'must have at most {{max}} characters after sanitizing, not {{size}}',
    'must have less HTML or text: it has {{size}} characters, and at most {{max}} are possible',
  ],
  [
    'must have at most {{max}} UTF-8 bytes after sanitizing, not {{size}}',
    'must be at most {{max}} bytes in UTF-8, not {{size}}',
  ],
  [
    'must have at most {{max}} elements after sanitizing, not {{size}}',
    'must have at most {{max}} tags or lines, not {{size}}',
  ],
  ['must be at most {{max}} bytes in UTF-8, not {{size}}'],
  ['must have at least {{min}} item'],
  ['must have at least {{min}} items'],
  ['must have at most {{max}} items, not {{size}}'],
  ['must have each item once'],
  ['must be at least {{min}}'],
  ['must be at most {{max}}'],
  ['must be at least {{field}}, which is {{value}}'],
  ['must be at most {{field}}, which is {{value}}'],
  ['must be a multiple of {{step}}'],
  ['must be of type {{type}}', 'must be a number'],
  ['must have at most {{places}} decimal places', 'must have fewer decimal places'],
  ['must contain a digit'],
  ['must contain a visible character'],
  ['must contain text that can be read'],
  ['must match {{pattern}}'],
  ['must be a date that exists'],
  ['must be after today, {{today}}', 'must be after today'],
  ['must be an email address'],
  ['must be a valid {{format}}'],
  ['must begin with https://'],
  ['must not contain a user name or password'],
  ['must have a host after https://'],
  ['must have a host that is a valid name or address'],
  ['must have its host as browsers read it'],
  ['must have {{characters}} after its host percent-encoded'],
  ['must have two hexadecimal digits after each %'],
  ['must have no white space before or after it'],
  ['must be HTML that can be parsed'],
  ['is escaped twice', 'must be HTML that is not escaped twice'],
  ['is a main area', 'must be a category that takes jobs'],
  ['must be the id of an active category with a parent_id', 'must be a category that takes jobs'],
  ['This company may not publish in that district.', 'must be a region in which your company may publish'],
];

const patterns = texts
  .map(([said, text = said]) => {
    const escaped = said.replaceAll(/[.]/g, '\\.').replaceAll(/\{\{(\w+)\}\}/g, '(?<$1>.+?)');
    return { text, length: said.length, pattern: new RegExp(`^${escaped}(?=$|[;:,] )`, 's') };
  })
  .sort((one, other) => other.length - one.length);

/** The API's refusal of a field, in the reader's language. `name` is the field's name in its form: `job.` and the contract's name. */
export function jobMessage(name: string, message: string, t: Translate): string {
  const label = labelOf(name.replace('job.', ''), t);
  return message
    .split('; and ')
    .map((one) => sentenceOf(label, '', one, t))
    .join(' ');
}

/** `inside` names the part that the message is about. */
function sentenceOf(label: string, inside: string, message: string, t: Translate): string {
  for (const { pattern, text } of patterns) {
    const found = pattern.exec(message);
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([param, value]) => [param, labelOf(value, t)]);
    const said = t(text, Object.fromEntries(params));
    if (said.startsWith('must ')) return `${label}${inside} ${said}.`;
    return inside ? `${label}${inside}: ${said}` : said;
  }
  const [, number, part, rest] = /^(?:item (\d+)|(?!is |must )([a-z][\w-]*)) (.+)$/is.exec(message) ?? [];
  if (rest === undefined) return `${label}${inside} ${message}.`;
  return sentenceOf(label, `${inside} ${number ?? t(optionLabel(part ?? ''))}`, rest, t);
}

const options = new Set([...rulesOf.values()].flatMap(({ values = [] }) => values));

/** The label of a field or of an enumerated value. Without a label, the text itself. */
function labelOf(text: string, t: Translate): string {
  const label = rulesOf.get(text)?.label;
  if (label !== undefined) return t(label);
  return options.has(text) ? t(optionLabel(text)) : text;
}
