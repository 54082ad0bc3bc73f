import { expect } from 'chai';
import { type Command, CommanderError } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { runInProcess, runProcess } from './run-cli.ts';

/** The program without a database: a command that starts its work has accepted its arguments. */
function program(written: string[] = []): Command {
  const accepted = async (): Promise<never> => {
    throw new Error('the arguments were accepted');
  };
  const write = (text: string) => written.push(text);
  const describe = (): never => {
    throw new Error('the arguments were accepted');
  };
  const host = { perform: accepted, describe, examine: accepted, readPassword: accepted };
  return makeProgram(host, { writeOut: write, writeErr: write });
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

const nameOf = (command: Command): string => `${command.parent?.name() ?? ''} ${command.name()}`;

const wrong = [
  ['company', 'create'],
  ['company', 'create', '--name', 'A', '--colour', 'red'],
  ['company', 'approve', '--id', '0'],
  ['company', 'approve', '--id', '1.5'],
  ['company', 'approve', '--id', '99999999999999999999'],
  ['company', 'districts', '--id', '1', '--districts', '1,x'],
  ['credential', 'issue', '--company', '1', '--environment', 'mars', '--access', 'read'],
  ['credential', 'issue', '--company', '1', '--environment', 'sandbox'],
  ['credential', 'issue', '--company', '1', '--environment', 'sandbox', '--access', 'read', '--days', 'many'],
  ['user', 'create', '--company', '1', '--email', 'a@example.com', '--role', 'owner'],
  ['admin', 'create', '--email', 'a@example.com', '--password', 'never on the command line'],
  ['admin', 'unlock'],
  ['user', 'remove', '--id', '1'],
  ['user', 'set-password', '--email', 'a@example.com', '--password', 'never on the command line'],
  ['job', 'deny', '--id', '1'],
  ['job', 'fly', '--id', '1'],
  ['company'],
  ['nothing'],
  ['plan', 'list', 'more'],
  ['server-json', 'more'],
  ['doctor', 'more'],
];

describe('ops usage', function () {
  this.timeout(60_000);

  for (const args of wrong)
    it(`refuses: ops ${args.join(' ')}`, async () => {
      const outcome = await program()
        .parseAsync(args, { from: 'user' })
        .catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(CommanderError).and.to.have.property('exitCode', 1);
    });

  it('accepts a limit of -1 and --json at either end', async () => {
    const grant = ['company', 'grant', '--id', '1', '--limit', '-1'];
    for (const args of [grant, ['--json', ...grant], [...grant, '--json']]) {
      const outcome = await program()
        .parseAsync(args, { from: 'user' })
        .catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(Error).and.to.have.property('message', 'the arguments were accepted');
    }
  });

  it('every level has help, and every verb an example', () => {
    const written: string[] = [];
    const [top, ...commands] = everyCommand(program(written));
    const verbs = commands.filter((command) => command.commands.length === 0);
    expect(verbs).to.have.length.above(50);
    for (const verb of verbs) {
      written.length = 0;
      verb.outputHelp();
      const help = written.join('');
      expect(help, nameOf(verb))
        .to.match(/\nExamples?:\n {2}\$ ops /)
        .and.to.include('--json');
      expect(help, nameOf(verb)).to.include(`$ ops ${nameOf(verb).replace(/^(ops)? /, '')}`);
    }
    const nouns = top?.commands.map((command) => command.name());
    const all =
      'company credential job user admin plan category request audit sandbox seed maintenance server-json doctor';
    expect(nouns).to.have.members(all.split(' '));
  });

  it('wrong usage ends the process with 2, help with 0; neither touches a database', async () => {
    const settings = { DATA_DIR: '/nowhere/that/exists' };
    const [plain, asJson, nounAlone, help] = await Promise.all([
      runInProcess(['company', 'create'], { settings }),
      runProcess(['company', 'create', '--json'], { settings }),
      runInProcess(['company', '--json'], { settings }),
      runProcess(['company', 'create', '--help'], { settings }),
    ]);
    expect(plain).to.deep.include({ exitCode: 2, stdout: '' });
    expect(plain.stderr).to.equal("error: required option '--name <name>' not specified\n");
    for (const ran of [asJson, nounAlone]) {
      expect(ran.exitCode).to.equal(2);
      expect(JSON.parse(ran.stdout).error.code).to.equal('usage');
    }
    expect(help).to.deep.include({ exitCode: 0, stderr: '' });
  });
});
