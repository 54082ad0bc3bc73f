import { Command, type OutputConfiguration } from 'commander';
import type { Host, Verb } from './command.ts';
import { companyVerbs } from './company-commands.ts';
import { credentialVerbs } from './credential-commands.ts';
import { maintenanceVerbs, sandboxVerbs, seed } from './data-commands.ts';
import { doctor } from './doctor/doctor.ts';
import { jobVerbs } from './job-commands.ts';
import { adminVerbs, userVerbs } from './people-commands.ts';
import { planVerbs } from './plan-commands.ts';
import { serverJson } from './server-json.ts';

const note = `
Runs on the database named by DATABASE_URL or DATA_DIR, with or without a running service.
Exit codes: 0 success, 1 refused or failed, 2 wrong usage.

Examples:
  $ ops company create --name "Oficina Exemplo" --plan Pro --verified --production-approved --json
  $ ops credential issue --company 12 --environment sandbox --access write --json
  $ ops job deny --id 204 --reason "The salary is missing."
  $ ops <noun> --help
  $ ops <noun> <verb> --help`;

const nouns: readonly [name: string, description: string, verbs: readonly Verb[]][] = [
  ['company', 'companies, their plans and complimentary access', companyVerbs],
  ['credential', 'API credentials', credentialVerbs],
  ['job', 'review of production jobs, and removal of any job', jobVerbs],
  ['user', "people who sign in to a company's dashboard", userVerbs],
  ['admin', 'people who sign in to the administration', adminVerbs],
  ['plan', 'plans of the website', planVerbs],
  ['sandbox', "companies' sandboxes", sandboxVerbs],
  ['maintenance', 'close and open the API; health checks and pages stay up', maintenanceVerbs],
];

/** The operator's command line. Throws a CommanderError for wrong usage and after printing help. */
export function makeProgram(host: Host, output: OutputConfiguration): Command {
  const program = new Command('ops')
    .description("Vaga's operator's command line")
    .usage('<noun> <verb> [options]')
    .option('--json', 'print one JSON object on standard output')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(output)
    .addHelpText('after', note);
  for (const [name, description, verbs] of nouns) {
    const noun = program.command(name).description(description);
    for (const add of verbs) add(noun, host);
  }
  seed(program, host);
  serverJson(program, host);
  doctor(program, host);
  return program;
}
