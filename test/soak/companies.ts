import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/open.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { signIn } from '../faults/sign-in.ts';
import { operatorOf } from '../faults/subject.ts';

const password = 'uma-senha-para-testes';
const rememberedMax = 200;

interface Credential {
  readonly credentialId: bigint;
  readonly secret: string;
}

/** A create that was acknowledged. */
export interface Created {
  readonly key: string;
  readonly id: number;
}

/** A company as its clients know it. */
export class Company {
  readonly #store: Database;
  readonly #origin: string;
  readonly companyId: bigint;
  readonly #email = `${randomUUID()}@example.com`;
  /** Its latest production jobs. */
  readonly created: Created[] = [];
  production!: Credential;
  sandbox!: Credential;
  readOnly!: Credential;
  /** Replaced but still valid, for requests in flight. */
  #replaced: Credential | undefined;
  revoked: Credential | undefined;
  cookie = '';

  private constructor(store: Database, origin: string, companyId: bigint) {
    this.#store = store;
    this.#origin = origin;
    this.companyId = companyId;
  }

  static async create(store: Database, origin: string): Promise<Company> {
    const facts = { plan: 'Especial', verified: true, productionApproved: true, autoPublish: true };
    const { companyId } = await createCompany(operatorOf(store), { name: 'Oficina Exemplo', ...facts });
    const company = new Company(store, origin, companyId);
    company.production = await company.#issue('production', 'write');
    company.sandbox = await company.#issue('sandbox', 'write');
    company.readOnly = await company.#issue('production', 'read');
    await createUser(operatorOf(store), { companyId, email: company.#email, role: 'main', password });
    await company.signIn();
    return company;
  }

  async signIn(): Promise<void> {
    this.cookie = await signIn(this.#origin, this.#email, password);
  }

  /** Issues a production credential and revokes the one that the last call replaced. */
  async rotate(): Promise<void> {
    const old = this.#replaced;
    this.#replaced = this.production;
    this.production = await this.#issue('production', 'write');
    if (!old) return;
    await revokeCredential(operatorOf(this.#store), { companyId: this.companyId, credentialId: old.credentialId });
    this.revoked = old;
  }

  async resetSandbox(): Promise<void> {
    await resetSandbox(operatorOf(this.#store), { companyId: this.companyId });
  }

  remember(created: Created): void {
    this.created.push(created);
    if (this.created.length > rememberedMax) this.created.shift();
  }

  #issue(environment: Environment, access: 'read' | 'write'): Promise<Credential> {
    return issueCredential(operatorOf(this.#store), { companyId: this.companyId, environment, access, label: 'soak' });
  }
}
