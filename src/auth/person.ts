import type { Db } from '../database/open.ts';
import { passwordMark } from '../domain/token.ts';
import * as store from '../queries/people.ts';

/** One of a company's people. A suspended company's people may read why its production stands still. */
export interface CompanyPerson {
  readonly id: bigint;
  readonly email: string;
  /** As the audit trail names them. */
  readonly actor: string;
  /** Of the password that the account has now. */
  readonly passwordMark: string;
  readonly isMain: boolean;
  readonly company: { readonly id: bigint; readonly name: string; readonly suspended: boolean };
}

/** Read anew for every page, so that a change of the account is felt at once. */
export async function findCompanyPerson(db: Db, id: bigint): Promise<CompanyPerson | undefined> {
  const user = await store.findUser(db, id);
  if (!user) return undefined;
  const { email, role, company, passwordHash } = user;
  return {
    id,
    email,
    actor: `user:${id}`,
    passwordMark: passwordMark(passwordHash),
    isMain: role === 'main',
    company: { id: company.id, name: company.name, suspended: company.suspendedAt !== null },
  };
}

export interface AdministratorPerson {
  readonly id: bigint;
  readonly email: string;
  readonly actor: string;
  readonly passwordMark: string;
}

export async function findAdministratorPerson(db: Db, id: bigint): Promise<AdministratorPerson | undefined> {
  const administrator = await store.findAdministrator(db, id);
  if (!administrator) return undefined;
  const { email, passwordHash } = administrator;
  return { id, email, actor: `administrator:${id}`, passwordMark: passwordMark(passwordHash) };
}
