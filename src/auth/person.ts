import type { Db } from '../database/open.ts';
import type { Actor } from '../domain/actor.ts';
import { passwordMark } from '../domain/token.ts';
import { findAdministrator, findUser } from './accounts-sql.ts';

export interface AdministratorPerson {
  readonly id: bigint;
  readonly email: string;
  readonly actor: Actor;
  /** Changes with the account's password. */
  readonly passwordMark: string;
}

/** A user of a company's dashboard. Users of a suspended company may still sign in and read why. */
export interface CompanyPerson extends AdministratorPerson {
  readonly isMain: boolean;
  readonly company: { readonly id: bigint; readonly name: string; readonly suspended: boolean };
}

/** Read for every page, so that account changes take effect at once. */
export async function findCompanyPerson(db: Db, id: bigint): Promise<CompanyPerson | undefined> {
  const user = await findUser(db, id);
  if (!user) return undefined;
  const { email, role, company, passwordHash } = user;
  return {
    id,
    email,
    actor: { kind: 'user', id, companyId: company.id, role },
    passwordMark: passwordMark(passwordHash),
    isMain: role === 'main',
    company: { id: company.id, name: company.name, suspended: company.suspendedAt !== null },
  };
}

export async function findAdministratorPerson(db: Db, id: bigint): Promise<AdministratorPerson | undefined> {
  const administrator = await findAdministrator(db, id);
  if (!administrator) return undefined;
  const { email, passwordHash } = administrator;
  return { id, email, actor: { kind: 'administrator', id }, passwordMark: passwordMark(passwordHash) };
}
