import type { CompanyPerson } from '../../auth/person.ts';
import { forbidden } from '../../domain/errors.ts';
import type { PageContext } from '../page.ts';

/** Refuses with 403 `permission` a sub-account; `deed` is what it may not do. */
export function requireMain({ person }: PageContext<CompanyPerson>, action: string): void {
  if (!person.isMain) throw forbidden('permission', `Only the company's main account may ${action}.`);
}
