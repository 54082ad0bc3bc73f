import type { Request } from 'express';
import { type Translate, translator } from './texts/t.ts';

export type Language = 'en' | 'pt';

interface LanguageEntry {
  readonly t: Translate;
  /** The language's name in itself. */
  readonly name: string;
}

/** The first is for readers of other languages. */
export const languages: Readonly<Record<Language, LanguageEntry>> = {
  en: { t: translator('en-GB', 'en'), name: 'English' },
  pt: { t: translator('pt-PT', 'pt-PT'), name: 'Português' },
};

export const languageCodes = Object.keys(languages) as Language[];

export const languageCookie = 'vaga_language';

/** What a cache must tell the languages apart by. */
export const languageVary = 'Accept-Language, Cookie';

/** The reader's language: as chosen on a page, else as the browser asks, else English. */
export function languageOf(request: Request): Language {
  const chosen = new RegExp(`(?:^|; ?)${languageCookie}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1];
  return (
    languageCodes.find((code) => code === chosen) ?? ((request.acceptsLanguages(languageCodes) || 'en') as Language)
  );
}
