import { createCompany } from './actions/create-company.ts';
import { issueCredential } from './actions/issue-credential.ts';
import { policy } from './domain/environment.ts';
import { momentAt } from './domain/moment.ts';
import { hasCompanies } from './store/companies.ts';
import type { Db } from './store/open.ts';

const plan = 'Pro';

/**
 * On a database without companies, makes one with a credential for each environment and prints them once, with lines to paste.
 * `address` is where the service listens.
 */
export async function makeDemo(db: Db, now: Date, address: string, timeZone: string): Promise<void> {
  if (await hasCompanies(db)) return;
  const ctx = { db, ...momentAt(now, timeZone), actor: 'operator' };
  const { companyId } = await createCompany(ctx, {
    name: 'Empresa de Demonstração',
    plan,
    verified: true,
    productionApproved: true,
    autoPublish: false,
  });
  const issue = (environment: 'sandbox' | 'production') =>
    issueCredential(ctx, { companyId, environment, access: 'write', days: 365, label: 'demo' });
  const sandbox = await issue('sandbox');
  const production = await issue('production');
  console.log(demoText(address, sandbox.secret, production.secret));
}

const demoText = (address: string, sandbox: string, production: string): string => `
A demo company with plan ${plan} is ready. Its credentials are shown this once:

  sandbox     ${sandbox}
  production  ${production}

Try it:

curl -s ${address}${policy.sandbox.restBase}/account -H 'Authorization: Bearer ${sandbox}'

curl -si ${address}${policy.sandbox.restBase}/jobs -H 'Authorization: Bearer ${sandbox}' -H 'Idempotency-Key: first-try' -H 'Content-Type: application/json' -d '{"title":"Eletricista","body":"<p>Obras no Porto.</p>","contact_instructions":"Envie o seu currículo.","category_id":101,"district_id":13,"application_method":"system"}'
`;
