import { expect } from 'chai';
import { type Command, CommanderError } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { expectShape } from '../helper/discovery-shapes.ts';
import { runInProcess, runProcess } from './run-cli.ts';

/** The program without a database: a command that starts its work has accepted its arguments. */
function program(written: string[] = []): Command {
  const accepted = async (): Promise<never> => {
    throw new Error('the arguments were accepted');
  };
  const write = (text: string) => written.push(text);
  const host = { perform: accepted, examine: accepted, readFile: accepted, readPassword: accepted };
  return makeProgram(host, { writeOut: write, writeErr: write });
}

const errorOf = (args: readonly string[]): Promise<unknown> =>
  program()
    .parseAsync(args, { from: 'user' })
    .catch((error: unknown) => error);

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];
const nameOf = (command: Command): string => `${command.parent?.name() ?? ''} ${command.name()}`;

const wrong = `company create
company create --name A --colour red
credential issue --company 1 --environment sandbox
admin create --email a@example.com --password never-on-the-command-line
admin unlock
user remove --id 1
user set-password --email a@example.com --password never-on-the-command-line
job deny --id 1
job fly --id 1
company
nothing
help nothing
help company fly
job list --page 0
job list --from tomorrow
maintenance on --retry-after 0
plan list more
server-json more
doctor more
move --to postgresql://never-on-the-command-line`.split('\n');

describe('ops usage', () => {
  it('refuses input that no command accepts', async () => {
    for (const line of wrong)
      expect(await errorOf(line.split(' ')), line)
        .to.be.instanceOf(CommanderError)
        .and.to.have.property('exitCode', 1);
  });

  it('names the flag that was typed', async () => {
    for (const flag of ['--id', '--company']) {
      const said: string[] = [];
      await program(said)
        .parseAsync(['company', 'show', flag, 'abc'], { from: 'user' })
        .catch(() => undefined);
      expect(said.join('')).to.include(`error: option '${flag} <id>' argument 'abc' is invalid.`);
    }
    expect(String(await errorOf(['company', 'show']))).to.include(`'--company <id>'`);
  });

  it('accepts a limit of -1 or unlimited, --json and --as at either end, and --id for the subject company', async () => {
    const grant = ['company', 'grant', '--company', '1', '--limit', '-1'];
    const [older, who] = [grant.map((word) => word.replace('--company', '--id')), ['--as', 'Ana Sousa']];
    const worded = [...grant.slice(0, -1), 'unlimited'];
    for (const args of [grant, worded, older, ['--json', ...who, ...grant], [...older, '--json', ...who]])
      expect(await errorOf(args))
        .to.be.instanceOf(Error)
        .and.to.have.property('message', 'the arguments were accepted');
  });

  it('asks about a number with two meanings, and takes one that has one', async () => {
    const grant = (limit: string) => errorOf(['company', 'grant', '--company', '1', '--limit', limit]);
    const refused = (limit: string, why: string) =>
      `error: option '--limit <number|unlimited>' argument '${limit}' is invalid. ${why}`;
    for (const limit of ['2,50', ',5', '30unlimited'])
      expect(await grant(limit)).to.have.property('message', refused(limit, 'It must be a whole number.'));
    const unclear = refused('12.000', 'Write 12000 or 12: it can be read as both.');
    expect(await grant('12.000')).to.have.property('message', unclear);
    expect(await grant('1 234')).to.have.property('message', 'the arguments were accepted');
  });

  it('every level has help, and every verb an example; a company is --company, and another subject of a command --id', async () => {
    const written: string[] = [];
    const [top, ...commands] = everyCommand(program(written));
    const verbs = commands.filter((command) => command.commands.length === 0);
    expect(verbs).to.have.length.above(50);
    for (const verb of verbs) {
      written.length = 0;
      verb.outputHelp();
      const help = written.join('');
      expect(help)
        .to.include(`\n  $ ops ${nameOf(verb).replace(/^(ops)? /, '')}`)
        .and.include('--json')
        // Lines of JSON, or CSV.
        .and.match(/an\s+export\s+prints\s+its\s+file/);
      if (nameOf(verb).startsWith('company ')) expect(help, nameOf(verb)).to.not.match(/--id\b/);
      expect(help, nameOf(verb)).to.not.match(/--id <id> +Company\b/);
      // On a server, the command cannot read a person's file.
      if (help.includes('--file <')) expect(help, nameOf(verb)).to.match(/\n {2}\$ ops .* --file - < [a-z-]+\.json/);
    }
    const all =
      'find company credential job user admin plan category district request audit sandbox session seed maintenance server-json doctor move help';
    expect(top?.commands.map((command) => command.name())).to.have.members([
      ...all.split(' '),
      ...storedResources.map(({ word }) => word),
    ]);
    expect(((await errorOf(['company', 'approve'])) as Error).message).to.match(/'--company <id>'/);
    expect(((await errorOf(['job', 'approve'])) as Error).message).to.match(/'--id <id>'/);
  });

  it('help of a noun or a verb is the same as its --help', async () => {
    const printed = async (...args: string[]) => (await runInProcess(args, { settings: {} })).stdout;
    for (const words of [[], ['company'], ['company', 'create'], ['doctor']])
      expect(await printed('help', ...words), words.join(' '))
        .to.equal(await printed(...words, '--help'))
        .and.not.equal('');
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
    expect(plain.stderr).to.match(/^error: .*--name.*\n$/);
    for (const ran of [asJson, nounAlone]) {
      expect(ran.exitCode).to.equal(2);
      expect(JSON.parse(ran.stdout).error.code).to.equal('usage');
    }
    expect(help).to.deep.include({ exitCode: 0, stderr: '' });
  });
});

const run = (settings: Record<string, string>, ...args: string[]) =>
  runInProcess(['server-json', ...args], { settings: { DATA_DIR: '/nowhere/that/exists', ...settings } });

describe('ops server-json', () => {
  it('prints the entry of the registry with both environments, without a database', async () => {
    const settings = { PUBLIC_URL: 'https://api.example.pt/', SERVER_NAME: 'pt.example/vaga' };
    const [plain, asJson] = await Promise.all([run(settings), run(settings, '--json')]);
    expect([plain.exitCode, plain.stderr, asJson.exitCode]).to.deep.equal([0, '', 0]);
    const document = JSON.parse(plain.stdout);
    expect(JSON.parse(asJson.stdout)).to.deep.equal(document);
    expectShape('serverJson', document);
    expect(document.name).to.equal('pt.example/vaga');
    expect(document.remotes.map(({ url }: { url: string }) => url)).to.deep.equal([
      'https://api.example.pt/mcp',
      'https://api.example.pt/sandbox/mcp',
    ]);
    for (const { headers } of document.remotes) {
      expect(headers).to.have.length(1);
      expect(headers[0]).to.include({ name: 'Authorization', isRequired: true, isSecret: true });
    }
  });

  it('refuses settings that are useless to the registry or a client, in one line that names the setting', async () => {
    for (const [settings, named] of [
      [{}, 'PUBLIC_URL'],
      [{ PUBLIC_URL: 'http://api.example.pt' }, 'PUBLIC_URL'],
      [{ PUBLIC_URL: 'https://203.0.113.7' }, 'SERVER_NAME'],
      [{ PUBLIC_URL: 'https://api.example.pt', SERVER_NAME: 'vaga' }, 'SERVER_NAME'],
    ] as const) {
      const { exitCode, stdout, stderr } = await run({ ...settings }, '--json');
      expect(exitCode, JSON.stringify(settings)).to.equal(1);
      expect(stderr).to.match(new RegExp(`^error: ${named} must be .*\n$`));
      expect(JSON.parse(stdout).error.code).to.equal('setting');
    }
  });
});
