import { readdirSync, readFileSync } from 'node:fs';
import type { Request } from 'express';
import { createInstance } from 'i18next';
import type { ComponentChildren } from 'preact';
import { isDay } from '../../domain/dates.ts';
import { builtFile } from '../../files.ts';
import { dayText, numberText } from './formats.ts';
import { isolated } from './isolated.ts';

/** The values of a text's placeholders. A value may be an element, such as a date or a link. */
type Parts = Readonly<Record<string, ComponentChildren>>;

export type TextKey = keyof typeof import('./pt/pages.json', { with: { type: 'json' }});
/** The compiler requires a literal text to be in the catalogue. Any other text, such as a declaration's title, may be missing there. */
type Known<Text extends string> = string extends Text ? Text : Text & TextKey;
type Names<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Names<Rest> : never;
/** A value for each placeholder of a text. A text with `count` needs `one`, the English singular. */
type For<Text extends string, Value> = string extends Text
  ? [values?: Readonly<Record<string, Value>>]
  : [Names<Text>] extends [never]
    ? []
    : [values: Readonly<Record<Names<Text> | ('count' extends Names<Text> ? 'one' : never), Value>>];

/** Writes English texts in the reader's language: t('Page {{page}} of {{last}}', { page, last }). */
export interface Translate {
  <Text extends string>(text: Known<Text>, ...values: For<Text, string | number>): string;
  <Text extends string>(text: Known<Text>, ...values: For<Text, ComponentChildren>): ComponentChildren;
  /** The locale for dates, numbers and the order of texts. */
  readonly locale: string;
  /** For the `lang` attribute. */
  readonly tag: string;
}

/** Merges all files of a folder, because a resource may add a file of its own. */
function catalogue(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(builtFile(folder)).sort();
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(builtFile(`${folder}/${file}`), 'utf8'))));
}

export const i18n = createInstance({
  resources: { 'pt-PT': { translation: catalogue('src/web/texts/pt') } },
  fallbackLng: false,
  load: 'currentOnly',
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
});
i18n.init();

/** `t` for a locale. A text missing in the catalogue stays English. */
export function translator(locale: string, tag: string): Translate {
  function t(text: string, { one, ...parts }: Parts = {}): ComponentChildren {
    const entries = Object.entries(parts);
    const replace = Object.fromEntries(entries.map(([name, part]) => [name, shown(name, part, locale)]));
    const forms = { count: parts.count, defaultValue_one: one };
    const written = String(i18n.t(text, { lng: locale, nest: false, replace, ...('count' in parts && forms) }));
    const pieces = written.split('\0');
    return pieces.length === 1 ? written : pieces.map((piece, at) => (at % 2 === 0 ? piece : parts[piece]));
  }
  // The cast adds the overloads: only the types restrict callers to known texts and their placeholders.
  return Object.assign(t, { locale, tag }) as Translate;
}

/** The replacement of a placeholder. For an element, the placeholder's name between NULs, which no text contains. */
function shown(name: string, part: ComponentChildren, locale: string): string {
  if (typeof part === 'number') return numberText(part, locale);
  return typeof part === 'string' ? isolated(part) : `\0${name}\0`;
}

/** Writes a value that is put into a text. A day is written as on the rest of the page. */
export const valueText = (value: unknown, locale: string): string => {
  const text = String(value ?? '–');
  return isDay(text) ? dayText(text, locale) : text;
};

/** The languages, with their own names. The first is the default. */
export const languages = {
  en: { t: translator('en-GB', 'en'), name: 'English' },
  pt: { t: translator('pt-PT', 'pt-PT'), name: 'Português' },
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

export const languageCookie = 'vaga_language';

/** The Vary header: what the language depends on. */
export const languageVary = 'Accept-Language, Cookie';

/** The reader's language: as chosen on a page, otherwise as the browser prefers, otherwise English. */
export function languageOf(request: Request): Language {
  const chosen = new RegExp(`(?:^|; ?)${languageCookie}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1];
  return (
    languageCodes.find((code) => code === chosen) ?? ((request.acceptsLanguages(languageCodes) || 'en') as Language)
  );
}
