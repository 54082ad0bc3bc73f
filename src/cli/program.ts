import { Command, type OutputConfiguration } from 'commander';
import { declarations } from '../operations/declarations.ts';
import { addCommand, addOperation, type Host } from './command-of.ts';
import { doctor } from './doctor/doctor.ts';
import { move } from './move.ts';
import { serverJson } from './server-json.ts';

const note = `
Runs on the database named by DATABASE_URL or DATA_DIR, with or without a running service.
Exit codes: 0 success, 1 refused or failed, 2 wrong usage. ops --version prints the release.

Examples:
  $ ops company create --name "Oficina Exemplo" --plan Pro --verified --production-approved --json
  $ ops credential issue --company 12 --environment sandbox --access write --json
  $ ops job deny --id 204 --reason "The salary is missing."
  $ ops <noun> --help
  $ ops <noun> <verb> --help`;

/** The operator's command line: every declaration is a command. Throws a CommanderError for wrong usage and after printing help. */
export function makeProgram(host: Host, output: OutputConfiguration): Command {
  const program = new Command('ops')
    .description("Vaga's operator's command line")
    .usage('<noun> <verb> [options]')
    .option('--json', 'print one JSON object on standard output; an export prints its file as without it')
    .option('--as <name>', 'who you are, for the audit trail; else VAGA_OPERATOR, else your account on this machine')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput(output)
    .addHelpText('after', note);
  for (const operation of declarations) {
    const [noun = '', verb] = operation.command.split(' ');
    const known = program.commands.find((command) => command.name() === noun);
    addOperation(verb === undefined ? program : (known ?? program.command(noun)), operation, host);
  }
  for (const noun of program.commands.filter(({ commands }) => commands.length > 0))
    noun.summary(noun.commands.map((verb) => verb.name()).join(', '));
  serverJson(program, host);
  doctor(program, host);
  move(program, host);
  addHelp(program);
  return program;
}

/** Commander's own `help` knows a noun, but no verb. */
function addHelp(program: Command): void {
  const of = (parent: Command, word: string): Command =>
    parent.commands.find((command) => command.name() === word) ??
    parent.error(`error: there is no command '${word}'; see ${parent === program ? '' : `${parent.name()} `}--help`);
  addCommand(program, { name: 'help', description: 'print the help of a command', example: 'help company create' })
    .argument('[words...]')
    .action((words: string[]) => words.reduce(of, program).help());
}
