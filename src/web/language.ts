import type { Request, RequestHandler, Response } from 'express';
import { Form } from './form.ts';
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

const languageCodes = Object.keys(languages) as Language[];

const languageCookie = 'vaga_language';

/** What a cache must tell the languages apart by. */
export const languageVary = 'Accept-Language, Cookie';

/** The reader's language: as chosen on a page, else as the browser asks, else English. */
export function languageOf(request: Request): Language {
  const chosen = new RegExp(`(?:^|; ?)${languageCookie}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1];
  return (
    languageCodes.find((code) => code === chosen) ?? ((request.acceptsLanguages(languageCodes) || 'en') as Language)
  );
}

const cookieDays = 365;
const dayMs = 86_400_000;

/** The language that a form asks for, which is remembered. */
export function languageAsked(request: Request, response: Response): Language | undefined {
  const language = languageCodes.find((code) => code === new Form(request).text('language'));
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.secure } as const;
  if (language) response.cookie(languageCookie, language, { ...options, maxAge: cookieDays * dayMs });
  return language;
}

/** Returns to the page of a reader who chose a language. */
export const returnToPage: RequestHandler = (request, response) =>
  response.redirect(303, pageOf(new Form(request).text('next')));

/** The path and query of one of our pages; any other address is the front page, so that the form is no open redirect. */
function pageOf(next: string): string {
  const base = 'http://localhost';
  if (!URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  return origin === base && /^\/(docs|(dashboard|admin)(\/.*)?)?$/.test(pathname) ? pathname + search : '/';
}
