import { randomBytes } from 'node:crypto';
import type { Context } from './context.ts';
import type { Db } from './database/open.ts';
import { policy } from './domain/environment.ts';
import { hasCompanies } from './operations/companies/companies-sql.ts';
import { createCompany } from './operations/companies/people/create-company.ts';
import { credentialDaysMax, issueCredential } from './operations/credentials/people/issue-credential.ts';
import { createAdministrator, createUser } from './operations/users/people/create-account.ts';
import { hasAdministrators } from './operations/users/users-sql.ts';
import { portals } from './web/portals.ts';

const plan = 'Pro';
const people = { main: 'main@example.com', sub: 'sub@example.com', administrator: 'admin@example.com' } as const;

/**
 * If the database has neither companies nor administrators, creates a demo company with a credential per environment, and people who can sign in. Prints the
 * secrets and passwords once, with commands to paste. `address` is where the service listens.
 */
export const makeDemo = (service: Omit<Context, 'actor'>, address: string): Promise<void> =>
  service.db.$transaction(
    async (tx) => {
      if ((await hasCompanies(tx)) || (await hasAdministrators(tx))) return;
      // The cast is safe: these operations use `db` only to begin transactions, and transactions nest.
      const ctx = { ...service, db: tx as Db, actor: { kind: 'operator' } } as const;
      const { companyId } = await createCompany(ctx, {
        name: 'Empresa de Demonstração',
        plan,
        verified: true,
        productionApproved: true,
        autoPublish: false,
      });
      const issue = (environment: 'sandbox' | 'production') =>
        issueCredential(ctx, { companyId, environment, access: 'write', days: credentialDaysMax, label: 'demo' });
      const sandbox = await issue('sandbox');
      const production = await issue('production');
      const passwords = await makePeople(ctx, companyId);
      // Prints before the commit, so that no credential exists whose secret nobody saw. Requests with these credentials wait for the commit.
      console.log(demoText(address, sandbox.secret, production.secret) + peopleText(address, passwords));
    },
    // The transaction hashes passwords, which takes long on a slow machine.
    { timeout: 60_000 },
  );

type Passwords = Readonly<Record<keyof typeof people, string>>;

async function makePeople(ctx: Context, companyId: bigint): Promise<Passwords> {
  const passwords = { main: newPassword(), sub: newPassword(), administrator: newPassword() };
  for (const role of ['main', 'sub'] as const)
    await createUser(ctx, { companyId, email: people[role], role, password: passwords[role] });
  await createAdministrator(ctx, { email: people.administrator, password: passwords.administrator });
  return passwords;
}

const newPassword = (): string => randomBytes(12).toString('base64url');

const demoText = (address: string, sandbox: string, production: string): string => `
A demo company with plan ${plan} is ready. Its credentials are shown only once:

  sandbox     ${sandbox}
  production  ${production}

For README's tour, paste these in another shell:

export TOKEN=${sandbox}
export API=${address}${policy.sandbox.restBase}
export MCP=${address}${policy.sandbox.mcpPath}

Or try it right away:

curl -s ${address}${policy.sandbox.restBase}/account -H 'Authorization: Bearer ${sandbox}'

curl -si ${address}${policy.sandbox.restBase}/jobs -H 'Authorization: Bearer ${sandbox}' -H 'Idempotency-Key: first-try' -H 'Content-Type: application/json' -d '{"title":"Eletricista","body":"<p>Obras no Porto.</p>","contact_instructions":"Envie o seu currículo.","category_id":303,"district_id":13,"application_method":"system"}'
`;

const peopleText = (address: string, passwords: Passwords): string => `
Its users and an administrator sign in here. The passwords are also shown only once:

  ${address}${portals.company.base}
    ${people.main}   ${passwords.main}   (main account)
    ${people.sub}    ${passwords.sub}   (sub-account)
  ${address}${portals.administrator.base}
    ${people.administrator}  ${passwords.administrator}

Start in a browser: ${address}/
API reference: ${address}/docs
`;
