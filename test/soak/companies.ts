import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/open.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { ask } from '../faults/history.ts';
import { operatorOf, signIn } from '../faults/subject.ts';
import type { Client } from '../faults/traffic.ts';

const password = 'uma-senha-para-testes';
type Credential = Awaited<ReturnType<typeof issueCredential>>;

/** A company as its clients know it. */
export interface Company extends Client {
  production: Credential;
  readonly sandbox: Credential;
  readonly readOnly: Credential;
  revoked: Credential | undefined;
  cookie: string;
  signIn(): Promise<undefined>;
  /** Issues a production credential and revokes the one that the last call replaced. */
  rotate(): Promise<void>;
  resetSandbox(): Promise<unknown>;
}

async function newCompany(store: Database, origin: string): Promise<Company> {
  const ctx = () => operatorOf(store);
  const facts = { plan: 'Especial', verified: true, productionApproved: true, autoPublish: true };
  const { companyId } = await createCompany(ctx(), { name: 'Oficina Exemplo', ...facts });
  const issue = (environment: Environment, access: 'read' | 'write'): Promise<Credential> =>
    issueCredential(ctx(), { companyId, environment, access, label: 'soak' });
  const email = `${randomUUID()}@example.com`;
  await createUser(ctx(), { companyId, email, role: 'main', password });
  /** Still valid, for requests in flight. */
  let replaced: Credential | undefined;
  const company: Company = {
    created: [],
    production: await issue('production', 'write'),
    sandbox: await issue('sandbox', 'write'),
    readOnly: await issue('production', 'read'),
    revoked: undefined,
    cookie: '',
    send(by, question) {
      const credential = company[by];
      return credential && ask(origin, credential.secret, question);
    },
    async signIn() {
      company.cookie = await signIn(origin, email, password);
    },
    async rotate() {
      const old = replaced;
      replaced = company.production;
      company.production = await issue('production', 'write');
      if (old) await revokeCredential(ctx(), { companyId, credentialId: old.credentialId });
      company.revoked = old;
    },
    resetSandbox: () => resetSandbox(ctx(), { companyId }),
  };
  await company.signIn();
  return company;
}

export async function newCompanies(store: Database, origin: string, count: number): Promise<Company[]> {
  const companies: Company[] = [];
  while (companies.length < count) companies.push(await newCompany(store, origin));
  return companies;
}

const everyMs = 3000;
/** Per minute: below the limit of failed sign-ins of one address. */
const roundsOfAMinute = 20;

/** Replaces one company a minute, and meanwhile credentials and sandboxes of others. Reports each step by its name. */
export async function churn(
  deadline: number,
  store: Database,
  origin: string,
  active: Company[],
  report: (name: string, wrong: string | undefined) => void,
): Promise<void> {
  const replaceOldest = async () => {
    active.push(await newCompany(store, origin));
    active.shift();
  };
  const failSignIn = async () => {
    const answer = await signIn(origin, `${randomUUID()}@example.com`, 'errada').catch(({ message }: Error) => message);
    if (answer !== 'the sign-in answered 422') throw new Error(answer);
  };
  for (let round = 1; performance.now() < deadline; round++) {
    await sleep(everyMs);
    const company = active[round % active.length] as Company;
    const [name, work]: [string, () => Promise<unknown>] =
      round % roundsOfAMinute === 0
        ? ['new company', replaceOldest]
        : round % roundsOfAMinute === 1
          ? ['failed sign-in', failSignIn]
          : round % 3 === 0
            ? ['sandbox reset', company.resetSandbox]
            : ['new credential', company.rotate];
    const wrong = await work().then(() => undefined, String);
    report(name, wrong && `${name}: ${wrong}`);
  }
}
