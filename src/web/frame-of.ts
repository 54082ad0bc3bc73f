import type { Request, Response } from 'express';
import type { Frame } from './frame.tsx';
import type { Person, PortalPages } from './page.ts';
import type { PageSession } from './page-session.ts';

/** What the layers of one request leave for the page. */
interface Locals<P extends Person> {
  session?: PageSession;
  person?: P;
}

export const localsOf = <P extends Person>(response: Response): Locals<P> => response.locals as Locals<P>;

/** The frame of the page that answers this request; takes the notice that was left for it. */
export function frameOf<P extends Person>(
  pages: PortalPages<P>,
  request: Request,
  response: Response,
  timeZone: string,
): Frame {
  const { session, person } = localsOf<P>(response);
  return {
    portal: pages.portal,
    csrfToken: session && (() => session.csrfToken()),
    path: request.baseUrl + request.path.replace(/\/$/, ''),
    timeZone,
    links: pages.links,
    person: person && { email: person.email, description: pages.describePerson(person) },
    notice: session?.takeNotice(),
  };
}
