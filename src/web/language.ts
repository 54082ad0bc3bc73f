import type { Request, RequestHandler } from 'express';
import { Form } from './form.ts';
import { translator } from './texts/t.ts';

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

/** Returns to the page of a reader who chose a language. */
export const returnToPage: RequestHandler = (request, response) =>
  response.redirect(303, returnPath(new Form(request).text('next')));

/** The path and query of one of our pages. Any other address becomes the front page, so that the form is no open redirect. */
function returnPath(next: string): string {
  const base = 'http://localhost';
  if (!URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  return origin === base && /^\/(docs|(dashboard|admin)(\/.*)?)?$/.test(pathname) ? pathname + search : '/';
}
