import { type Command, Option } from 'commander';
import { createAdministrator } from '../actions/create-administrator.ts';
import { createUser } from '../actions/create-user.ts';
import { passwordCharactersMin } from '../actions/hash-password.ts';
import { parseId } from './arguments.ts';
import type { Perform } from './outcome.ts';
import { readPassword } from './read-password.ts';

interface UserOptions {
  readonly company: bigint;
  readonly email: string;
  readonly role: 'main' | 'sub';
}

const passwordNote = `\nThe password, at least ${passwordCharactersMin} characters, is read from standard input; at a terminal it is asked for and not shown.\n`;

/** user create, admin create. */
export function addPeopleCommands(program: Command, perform: Perform): void {
  addUser(program.command('user').description("people who sign in to a company's dashboard"), perform);
  addAdministrator(program.command('admin').description("people who sign in to the administrator's console"), perform);
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
