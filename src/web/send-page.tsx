import type { Request, RequestHandler, Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { languageOf, languages, languageVary } from './language.ts';
import { Layout } from './layout.tsx';
import type { PageContent, Person, PortalPages } from './page.ts';
import { type PageInfo, PageInfoContext } from './page-info.ts';
import type { PageSession } from './page-session.ts';
import { portals } from './portals.ts';
import { TContext, type Translate } from './texts/t.ts';

/** Set by the middleware of a portal. */
interface PageLocals<P extends Person> {
  session?: PageSession;
  /** The person who has signed in. */
  person?: P;
  /** The address of the page that has the form that was sent. */
  formPage?: string;
  /** For the reader's language. */
  t?: Translate;
}

export const localsOf = <P extends Person>(response: Response): PageLocals<P> => response.locals as PageLocals<P>;

/** The session that loadSession put there. */
export function sessionOf(response: Response): PageSession {
  const { session } = localsOf(response);
  if (!session) throw new Error('loadSession has not run');
  return session;
}

/** Finds the reader's language for `tOf`. */
export const loadLanguage: RequestHandler = (request, response, next) => {
  const { t } = languages[languageOf(request)];
  localsOf(response).t = t;
  response.set({ 'Content-Language': t.tag, Vary: languageVary });
  next();
};

export function tOf(response: Response): Translate {
  const { t } = localsOf(response);
  if (!t) throw new Error('loadLanguage has not run');
  return t;
}

export type SendPage = (request: Request, response: Response, page: PageContent) => void;

/** Renders the pages of a portal. Everything is escaped, except job bodies in JobBody. */
export const pageSender =
  <P extends Person>({ portal, describePerson }: PortalPages<P>, timeZone: string): SendPage =>
  (request, response, { status, title, content }) => {
    const { session, person, formPage = portals[portal].base } = localsOf<P>(response);
    const info: PageInfo = {
      portal,
      csrfToken: session && (() => session.csrfToken()),
      path: request.baseUrl + request.path.replace(/\/$/, ''),
      address: request.method === 'GET' ? request.originalUrl : formPage,
      timeZone,
      isSuspended: person !== undefined && 'company' in person && person.company.suspended,
      person: person && { email: person.email, description: describePerson(person, tOf(response)) },
      notice: session?.takeNotice(),
    };
    const html = renderToString(
      <TContext.Provider value={tOf(response)}>
        <PageInfoContext.Provider value={info}>
          <Layout title={title}>{content}</Layout>
        </PageInfoContext.Provider>
      </TContext.Provider>,
    );
    response.status(status).type('html').send(`<!DOCTYPE html>${html}`);
  };
