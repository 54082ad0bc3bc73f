import express, { type RequestHandler } from 'express';
import { Form, parseForm } from './form.ts';
import { languageCodes, languageCookie } from './language.ts';
import { beginPage, type PageDeps } from './page.ts';
import { refuseCrossSiteForms, requireSecureClient, securityHeaders } from './security.ts';

const cookieDays = 365;
const dayMs = 86_400_000;

/** Remembers the language that a reader chose, and returns to the page. */
export function chooseLanguage(deps: PageDeps): RequestHandler {
  const router = express.Router({ caseSensitive: true });
  router.use(
    beginPage('company', deps.timeZone),
    securityHeaders,
    requireSecureClient(deps),
    refuseCrossSiteForms,
    parseForm,
  );
  return router.post('/', (request, response) => {
    const form = new Form(request);
    const language = languageCodes.find((code) => code === form.text('language'));
    const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.secure } as const;
    if (language) response.cookie(languageCookie, language, { ...options, maxAge: cookieDays * dayMs });
    response.redirect(303, pageOf(form.text('next')));
  });
}

/** The path and query of one of our pages; any other address is the front page, so that the form is no open redirect. */
function pageOf(next: string): string {
  const base = 'http://localhost';
  if (!URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  return origin === base && /^\/(docs|(dashboard|admin)(\/.*)?)?$/.test(pathname) ? pathname + search : '/';
}
