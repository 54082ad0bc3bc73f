import { forbidden } from '../../domain/errors.ts';
import type { CompanyPerson } from '../../gate/person.ts';
import type { PageContext } from '../page.ts';

/** Refuses with 403 `permission` a sub-account; `deed` is what it may not do. */
export function requireMain({ person }: PageContext<CompanyPerson>, deed: string): void {
  if (!person.isMain) throw forbidden('permission', `Only the company's main account may ${deed}.`);
}
