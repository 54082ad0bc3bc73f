import type { Database } from '../../src/database/open.ts';
import { approveCompany, reinstateCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import type { Creators } from './creators.ts';
import type { PrivateCitus } from './private-citus.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import type { Readers } from './readers.ts';
import { signIn } from './sign-in.ts';
import { makeCompany, operatorOf, type Subject } from './subject.ts';

/** The first is for people's work, the others are under load. */
const companiesPerWorker = 5;
const password = 'uma-senha-para-testes';

export interface Company {
  readonly companyId: bigint;
  readonly token: string;
  readonly worker: PrivatePostgres;
  readonly email: string;
}

export interface Loaded extends Company {
  readonly load: Creators;
  readonly readers: Readers;
}

export interface Scene {
  readonly cluster: PrivateCitus;
  readonly subject: Subject;
  readonly database: Database;
  readonly companies: readonly Loaded[];
  /** One of each worker, for people's work. */
  readonly idle: readonly Company[];
}

/** Companies with a user each, until every worker has enough. */
export async function makeCompanies(cluster: PrivateCitus, database: Database): Promise<Company[]> {
  const kept: Company[] = [];
  const ofWorker = (worker: PrivatePostgres) => kept.filter((company) => company.worker === worker).length;
  while (cluster.workers.some((worker) => ofWorker(worker) < companiesPerWorker)) {
    const made = await makeCompany(database);
    const worker = await cluster.workerOf(made.companyId);
    if (ofWorker(worker) === companiesPerWorker) continue;
    const email = `pessoa${made.companyId}@example.com`;
    await createUser(operatorOf(database), { companyId: made.companyId, email, role: 'main', password });
    kept.push({ ...made, worker, email });
  }
  return kept;
}

/** What people do for companies on healthy workers meanwhile. Throws if anything fails. */
export async function administer(
  database: Database,
  { origin }: Subject,
  { companyId, email }: Company,
): Promise<void> {
  const ctx = operatorOf(database);
  const { credentialId } = await issueCredential(ctx, { companyId, environment: 'sandbox', access: 'read' });
  await revokeCredential(ctx, { companyId, credentialId });
  await suspendCompany(ctx, { companyId });
  await reinstateCompany(ctx, { companyId });
  await approveCompany(ctx, { companyId });
  await signIn(origin, email, password);
}
