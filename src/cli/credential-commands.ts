import { type Command, Option } from 'commander';
import { credentialDaysMax, issueCredential } from '../operations/credentials/issue-credential.ts';
import { locateCredential } from '../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../operations/credentials/revoke-credential.ts';
import { parseId, parseWholeNumber } from './arguments.ts';
import type { Perform } from './outcome.ts';

interface IssueOptions {
  readonly company: bigint;
  readonly environment: 'sandbox' | 'production';
  readonly access: 'read' | 'write';
  readonly days?: number;
  readonly label?: string;
}

/** credential issue, revoke. */
export function addCredentialCommands(program: Command, perform: Perform): void {
  const credential = program.command('credential').description('credentials of the interface');
  addIssue(credential, perform);
  addRevoke(credential, perform);
}

function addIssue(credential: Command, perform: Perform): void {
  credential
    .command('issue')
    .description('issue a credential; its secret is shown this once and stored nowhere')
    .requiredOption('--company <id>', 'id of the company', parseId)
    .addOption(
      new Option('--environment <name>', 'where it works').choices(['sandbox', 'production']).makeOptionMandatory(),
    )
    .addOption(new Option('--access <level>', 'write includes read').choices(['read', 'write']).makeOptionMandatory())
    .option(
      '--days <days>',
      `how long it works, 1 to ${credentialDaysMax} (default: ${credentialDaysMax})`,
      parseWholeNumber,
    )
    .option('--label <label>', 'what the company calls it')
    .addHelpText(
      'after',
      '\nExample:\n  $ ops credential issue --company 12 --environment sandbox --access write --days 90 --json',
    )
    .action(({ company, ...request }: IssueOptions) =>
      perform(async (ctx) => {
        const { credentialId, secret, expiresAt } = await issueCredential(ctx, { companyId: company, ...request });
        const text = `credential ${credentialId}, until ${expiresAt.toISOString()}; keep its secret, it is not shown again:\n${secret}`;
        return { data: { credential_id: Number(credentialId), secret }, text };
      }),
    );
}

function addRevoke(credential: Command, perform: Perform): void {
  credential
    .command('revoke')
    .description('end a credential from its next request on')
    .requiredOption('--id <id>', 'id of the credential', parseId)
    .addHelpText('after', '\nExample:\n  $ ops credential revoke --id 31')
    .action(({ id }: { readonly id: bigint }) =>
      perform(async (ctx) => {
        const { companyId } = await locateCredential(ctx, id);
        const { revokedAt } = await revokeCredential(ctx, { companyId, credentialId: id });
        const data = { credential_id: Number(id), company_id: Number(companyId), revoked_at: revokedAt.toISOString() };
        return { data, text: `credential ${id} of company ${companyId} revoked` };
      }),
    );
}
