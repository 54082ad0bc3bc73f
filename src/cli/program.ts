import { Command } from 'commander';
import { addCompanyCommands } from './company-commands.ts';
import { addCredentialCommands } from './credential-commands.ts';
import { addDataCommands } from './data-commands.ts';
import { addJobCommands } from './job-commands.ts';
import type { Perform } from './outcome.ts';
import { addPeopleCommands } from './people-commands.ts';
import { addPlanCommands } from './plan-commands.ts';

const note = `
Works beside a running service and without one, on the database that DATABASE_URL or DATA_DIR names.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ ops company create --name "Oficina Exemplo" --plan Pro --verified --production-approved --json
  $ ops credential issue --company 12 --environment sandbox --access write --json
  $ ops job deny --id 204 --reason "The salary is missing."
  $ ops <noun> --help
  $ ops <noun> <verb> --help`;

/** The operator's command line; throws a CommanderError for wrong usage and when help was asked for. */
export function makeProgram(perform: Perform): Command {
  const program = new Command('ops')
    .description("Vaga's operator's command line")
    .usage('<noun> <verb> [options]')
    .option('--json', 'print one JSON object on standard output')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText('after', note);
  addCompanyCommands(program, perform);
  addCredentialCommands(program, perform);
  addJobCommands(program, perform);
  addPeopleCommands(program, perform);
  addPlanCommands(program, perform);
  addDataCommands(program, perform);
  return program;
}
