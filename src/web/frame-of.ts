import type { Request, Response } from 'express';
import type { Frame } from './frame.tsx';
import type { Person, RealmPages } from './page.ts';
import type { Visit } from './visit.ts';

/** What the layers of one request leave for the page. */
interface Locals<P extends Person> {
  visit?: Visit;
  person?: P;
}

export const localsOf = <P extends Person>(response: Response): Locals<P> => response.locals as Locals<P>;

/** The frame of the page that answers this request; takes the notice that was left for it. */
export function frameOf<P extends Person>(
  pages: RealmPages<P>,
  request: Request,
  response: Response,
  timeZone: string,
): Frame {
  const { visit, person } = localsOf<P>(response);
  return {
    realm: pages.realm,
    csrfToken: visit && (() => visit.csrfToken()),
    path: request.baseUrl + request.path.replace(/\/$/, ''),
    timeZone,
    links: pages.links,
    person: person && { email: person.email, description: pages.describePerson(person) },
    notice: visit?.takeNotice(),
  };
}
