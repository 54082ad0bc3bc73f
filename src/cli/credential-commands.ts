import { type Access, scopesOf } from '../domain/actor.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { credentialDaysMax, issueCredential } from '../operations/credentials/issue-credential.ts';
import { locateCredential } from '../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../operations/credentials/revoke-credential.ts';
import { choice, optional, parseId, parseWholeNumber, required, type Verb, verb } from './command.ts';

interface IssueOptions {
  readonly company: bigint;
  readonly environment: Environment;
  readonly access: Access;
  readonly days?: number;
  readonly label?: string;
}

const issue = verb<IssueOptions>({
  name: 'issue',
  description: 'issue a credential; its secret is shown only once and stored nowhere',
  options: [
    required('--company <id>', 'ID of the company', parseId),
    choice('--environment <name>', 'the environment that it works in', Object.keys(policy)),
    choice('--access <level>', 'write includes read', Object.keys(scopesOf)),
    optional('--days <days>', `validity, 1 to ${credentialDaysMax} (default: ${credentialDaysMax})`, parseWholeNumber),
    optional('--label <label>', "the company's name for it"),
  ],
  examples: ['credential issue --company 12 --environment sandbox --access write --days 90 --json'],
  run: async (ctx, { company, ...request }) => {
    const { credentialId, secret, expiresAt } = await issueCredential(ctx, { companyId: company, ...request });
    const text = `credential ${credentialId}, until ${expiresAt.toISOString()}; keep its secret, it is not shown again:\n${secret}`;
    return { data: { credential_id: Number(credentialId), secret }, text };
  },
});

const revoke = verb<{ readonly id: bigint; readonly company?: bigint }>({
  name: 'revoke',
  description: 'revoke a credential from its next request',
  options: [
    required('--id <id>', 'ID of the credential', parseId),
    optional('--company <id>', 'ID of its company; without it, the credentials of all companies are searched', parseId),
  ],
  examples: ['credential revoke --id 31'],
  run: async (ctx, { id, company }) => {
    const companyId = company ?? (await locateCredential(ctx, id)).companyId;
    const { revokedAt } = await revokeCredential(ctx, { companyId, credentialId: id });
    const data = { credential_id: Number(id), company_id: Number(companyId), revoked_at: revokedAt.toISOString() };
    return { data, text: `credential ${id} of company ${companyId} revoked` };
  },
});

export const credentialVerbs: readonly Verb[] = [issue, revoke];
