import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { tools } from '../../src/contract/tools.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, newJob, server } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { asPerson, type Page, password } from '../helper/page-client.ts';
import { patienceMs } from '../helper/test-database.ts';

/** The environment of somebody's shell: that of the tests, without what npm adds for its scripts, which names this project. */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = '']) => (name.startsWith('npm_') ? [] : [[name, value]])),
  );

/** Runs a shell's lines as somebody pastes them into a new folder, and returns what they print. */
async function paste(lines: string, { cwd = ownFolder(), ...variables }: { cwd?: string; TOKEN?: string } = {}) {
  // A package index that is not reached must not be tried again and again.
  const env = { ...ownEnvironment(), PIP_RETRIES: '0', ...variables };
  const running = promisify(execFile)('bash', ['-ec', lines], { cwd, env });
  return (await running).stdout;
}

/** Whether a registry has a package for this machine. */
const has = (command: string): Promise<boolean> =>
  paste(command).then(
    () => true,
    () => false,
  );

interface Reference {
  readonly paths: Record<string, Record<string, { 'x-codeSamples'?: { label: string; source: string }[] }>>;
}

describe('the recipes of the pages, each from an empty folder', () => {
  let secretPage: Page;
  let hasNpm = false;
  let hasPython = false;
  before(async () => {
    hasNpm = await has('npm view openapi-fetch version');
    hasPython = await has(`python3 -m venv a && a/bin/pip download -q --no-deps 'mcp==2.*' httpx`);
    const client = await asPerson(await newCompany());
    const chosen = { label: 'Site', environment: 'sandbox', access: 'write', days: '30', currentPassword: password };
    secretPage = await client.send('/credentials/issue', chosen);
  });

  /** A recipe of the page that shows a new secret. */
  const shown = (name: string): string => {
    const parts = [...secretPage.document.querySelectorAll('details')];
    const part = parts.find((one) => one.querySelector('summary')?.textContent === name);
    return part?.querySelector('pre')?.textContent ?? '';
  };

  it('beside a new secret: curl', async () => {
    const { textContent } = secretPage.document.querySelector('#curl') ?? {};
    expect(JSON.parse(await paste(textContent ?? '')).data.jobs).to.include({ remaining: 100 });
  });

  it('beside a new secret: the typed client, from the service itself', async function () {
    if (!hasNpm) return this.skip();
    const cwd = ownFolder();
    expect(await paste(shown('Typed client'), { cwd })).to.include('remaining: 100');
    const lock = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8'));
    expect(lock.packages['node_modules/@vaga/client'].resolved, 'no later release breaks it').to.match(/^file:/);
  });

  for (const [name, isHere] of [
    ['TypeScript SDK', () => hasNpm],
    ['Python SDK', () => hasPython],
  ] as const)
    it(`beside a new secret: ${name}`, async function () {
      if (!isHere()) return this.skip();
      const printed = await paste(shown(name));
      for (const { tool } of tools) expect(printed).to.include(`'${tool.name}'`);
    });

  for (const [label, file, isHere] of [
    ['TypeScript client', 'program.mjs', () => hasNpm],
    ['Python (httpx)', 'program.py', () => hasPython],
  ] as const)
    it(`the samples of the reference: ${label}; the first line says how to run each`, async function () {
      if (!isHere()) return this.skip();
      const { paths } = (await (await fetch(`${addressOf(server())}/docs/reference.json`)).json()) as Reference;
      const { acme, id } = await newJob('sandbox');
      const TOKEN = await acme.secret('sandbox', 'write');
      const samples = Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .flatMap(({ 'x-codeSamples': all = [] }) => all.filter((sample) => sample.label === label));
      const cwd = ownFolder();
      // Many machines install Python's packages only in a virtual environment.
      if (file.endsWith('.py')) await paste('python3 -m venv .', { cwd });
      for (const [n, { source }] of samples.entries()) {
        await writeFile(join(cwd, file), source.replace('48213', String(id)));
        const [, command = ''] = /^(?:\/\/|#) (.*)/.exec(source) ?? [];
        // What is installed once is there for the others.
        const lines = n === 0 ? command : command.replace(/^.* && /, '');
        await paste(file.endsWith('.py') ? `. bin/activate\n${lines}` : lines, { cwd, TOKEN });
      }
      expect(samples).to.have.length.above(8);
    });

  it('beside a new secret: Claude Desktop, whose settings name a file of the headers', async function () {
    if (!hasNpm) return this.skip();
    const { command, args } = JSON.parse(shown('Claude Desktop')).mcpServers.vaga;
    const headers = join(ownFolder(), 'headers.txt');
    await writeFile(headers, `Authorization: Bearer ${secretPage.document.querySelector('#secret')?.textContent}\n`);
    const client = new Client({ name: 'desktop', version: '1.0.0' });
    // npm needs the machine's variables to reach a registry; none of them holds the secret.
    const server = { command, args: [...args.slice(0, -1), headers], env: ownEnvironment(), stderr: 'ignore' as const };
    // Before it answers, it installs a package.
    await client.connect(new StdioClientTransport(server), { timeout: patienceMs });
    expect((await client.listTools({}, { timeout: patienceMs })).tools).to.have.length(tools.length);
    await client.close();
  });

  for (const command of ['claude', 'codex'])
    it(`beside a new secret: ${command} gets it in its environment, and none to write into its settings`, async () => {
      const cwd = ownFolder();
      await writeFile(join(cwd, command), '#!/bin/sh\necho "$TOKEN"\necho "$@"\n', { mode: 0o755 });
      const [recipe = ''] = ['Claude Code', 'Codex'].map(shown).filter((text) => text.includes(`${command} mcp add`));
      const [token, words] = (await paste(`PATH=$PWD:$PATH\n${recipe}`, { cwd })).split('\n');
      expect(token).to.match(/^vaga_test_/);
      expect(words).to.include('TOKEN').and.not.include(token);
    });

  it('none writes a secret into a program', async () => {
    const text = await (await fetch(`${addressOf(server())}/docs/reference.json`)).text();
    for (const page of [text, secretPage.document.body.textContent ?? ''])
      expect(page).to.not.match(/(TOKEN|token)\W{1,8}(\?\?|\|\||,) *\W{0,2}vaga_|token: *\W{0,2}vaga_/);
  });
});
