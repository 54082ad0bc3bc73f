import type { CompanyPerson } from '../../gate/person.ts';
import { type PageAnswer, type PageContext, page } from '../page.ts';

/** How the company stands in each environment. */
export function overview({ person }: PageContext<CompanyPerson>): PageAnswer {
  return page(
    'Overview',
    <>
      <h1>Overview</h1>
      <p>{person.company.name}</p>
    </>,
  );
}
