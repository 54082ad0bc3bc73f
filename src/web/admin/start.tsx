import type { AdministratorPerson } from '../../gate/person.ts';
import { type PageAnswer, type PageContext, page } from '../page.ts';

/** Where an administrator begins. */
export function start({ person }: PageContext<AdministratorPerson>): PageAnswer {
  return page(
    'Start',
    <>
      <h1>Administration</h1>
      <p>{person.email}</p>
    </>,
  );
}
