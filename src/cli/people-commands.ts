import { type Command, Option } from 'commander';
import type { Portal } from '../domain/actor.ts';
import { removeAccount, unlockAccount } from '../operations/people/account.ts';
import { createAdministrator, createUser } from '../operations/people/create-account.ts';
import { passwordCharactersMin, setPassword } from '../operations/people/set-password.ts';
import type { Account } from '../queries/people.ts';
import { parseId } from './arguments.ts';
import type { Outcome, Perform } from './outcome.ts';
import { readPassword } from './read-password.ts';

interface UserOptions {
  readonly company: bigint;
  readonly email: string;
  readonly role: 'main' | 'sub';
}

const passwordNote = `\nThe password, at least ${passwordCharactersMin} characters, is read from standard input; at a terminal it is asked for and not shown.\n`;

/** user and admin: create, unlock, set-password, remove. */
export function addPeopleCommands(program: Command, perform: Perform): void {
  const user = program.command('user').description("people who sign in to a company's dashboard");
  addUser(user, perform);
  addAccountCommands(user, perform, 'company');
  const admin = program.command('admin').description("people who sign in to the administrator's console");
  addAdministrator(admin, perform);
  addAccountCommands(admin, perform, 'administrator');
}

function addUser(user: Command, perform: Perform): void {
  user
    .command('create')
    .description('create an account of a company, its one main account or a sub-account')
    .requiredOption('--company <id>', 'id of the company', parseId)
    .requiredOption('--email <address>', 'what the person signs in with')
    .addOption(
      new Option('--role <role>', 'only main may issue credentials').choices(['main', 'sub']).makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `${passwordNote}\nExample:\n  $ ops user create --company 12 --email rh@example.com --role main < password.txt`,
    )
    .action(async ({ company, email, role }: UserOptions) => {
      const password = await readPassword();
      await perform(async (ctx) => {
        const { userId } = await createUser(ctx, { companyId: company, email, role, password });
        return { data: { user_id: Number(userId), company_id: Number(company) }, text: `user ${userId} created` };
      });
    });
}

function addAdministrator(admin: Command, perform: Perform): void {
  admin
    .command('create')
    .description('create an administrator')
    .requiredOption('--email <address>', 'what the person signs in with')
    .addHelpText('after', `${passwordNote}\nExample:\n  $ ops admin create --email admin@example.com < password.txt`)
    .action(async ({ email }: { readonly email: string }) => {
      const password = await readPassword();
      await perform(async (ctx) => {
        const { administratorId } = await createAdministrator(ctx, { email, password });
        return {
          data: { administrator_id: Number(administratorId) },
          text: `administrator ${administratorId} created`,
        };
      });
    });
}

/** unlock, set-password and remove, the same for both kinds of people. */
function addAccountCommands(noun: Command, perform: Perform, portal: Portal): void {
  const add = (verb: string, description: string, note: string, input: string): Command =>
    noun
      .command(verb)
      .description(description)
      .requiredOption('--email <address>', 'what the person signs in with')
      .addHelpText('after', `${note}\nExample:\n  $ ops ${noun.name()} ${verb} --email ana@example.com${input}`);
  add('unlock', 'forget failed sign-ins, so that the person can sign in again', '', '').action(({ email }: Named) =>
    perform(async (ctx) => {
      const { limitsNamespace } = ctx;
      return accountOutcome(portal, await unlockAccount(ctx, { portal: portal, email, limitsNamespace }), 'unlocked');
    }),
  );
  add('set-password', 'set a new password and end all sessions', passwordNote, ' < password.txt').action(
    async ({ email }: Named) => {
      const password = await readPassword();
      await perform(async (ctx) => {
        const account = await setPassword(ctx, { portal: portal, email, password });
        return accountOutcome(portal, account, 'has a new password; all sessions ended');
      });
    },
  );
  const stays =
    '\nWhat the person did stays: credentials go on until they are revoked, and so do entries of the trail.\n';
  add('remove', 'delete the account and end all sessions', stays, '').action(({ email }: Named) =>
    perform(async (ctx) => accountOutcome(portal, await removeAccount(ctx, { portal: portal, email }), 'removed')),
  );
}

interface Named {
  readonly email: string;
}

function accountOutcome(portal: Portal, { id, companyId }: Account, done: string): Outcome {
  if (portal === 'administrator')
    return { data: { administrator_id: Number(id) }, text: `administrator ${id} ${done}` };
  return { data: { user_id: Number(id), company_id: Number(companyId) }, text: `user ${id} ${done}` };
}
