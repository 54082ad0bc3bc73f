import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { storedFields } from '../../generated/stored-fields.ts';
import { tools } from '../../src/contract/tools.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { policy } from '../../src/domain/environment.ts';
import { memoryStore } from '../../src/rate-limit/limit-store.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, startApp, type TestCompany } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ScriptedModel, type ToolCall } from './scripted-model.ts';

const own = join(packageRoot, 'test/agents');
const packages = join(own, 'node_modules');

/**
 * What a client offers its model: the tools' names, the tools in its provider's form as JSON, and what the model reads of each call's
 * result.
 */
interface Session {
  readonly names: readonly string[];
  readonly offered: string;
  readonly read: readonly string[];
}

type Run = (url: string, token: string, calls: readonly ToolCall[]) => Promise<Session>;

/** Runs a command without input and returns its output. */
async function run(command: string, args: readonly string[], env: Record<string, string>, cwd: string) {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, args, { cwd, stdio, env: { PATH: process.env.PATH ?? '', ...env } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(code, stdout + stderr).to.equal(0);
  return stdout;
}

const library =
  (name: string): Run =>
  async (url, token, calls) => {
    const args = [join(own, 'libraries.mjs'), name, url, token, JSON.stringify(calls)];
    return JSON.parse(await run(process.execPath, args, { HOME: ownFolders.next() }, own));
  };

/** Runs a whole agent, whose provider is the scripted model at `modelUrl`. */
type Start = (modelUrl: string, url: string, token: string, home: string) => Promise<unknown>;

const agent =
  (start: Start): Run =>
  async (url, token, calls) => {
    const model = await ScriptedModel.open(calls);
    try {
      await start(model.url, url, token, ownFolders.next());
      const { tools: listed, results, offered } = model.heard;
      return { names: listed.map((tool) => tool.name), offered, read: results };
    } finally {
      model.close();
    }
  };

const startCodex: Start = async (modelUrl, url, token, home) => {
  const provider = `name = "scripted"\nbase_url = "${modelUrl}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"`;
  const vaga = `url = "${url}"\nbearer_token_env_var = "TOKEN"`;
  // The client shows this much of a result to models in its catalog, and less to an unknown model.
  const model = 'model = "scripted"\nmodel_provider = "scripted"\ntool_output_token_limit = 10000';
  const config = `${model}\n[model_providers.scripted]\n${provider}\n[mcp_servers.vaga]\n${vaga}\n`;
  writeFileSync(join(home, 'config.toml'), config);
  const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'go'];
  await run(
    join(packages, '.bin/codex'),
    args,
    { HOME: home, CODEX_HOME: home, MODEL_KEY: 'none', TOKEN: token },
    home,
  );
};

/** The package includes the programs of all platforms; CI uses this one. */
const opencode = join(packages, `opencode-${process.platform}-${process.arch}/bin/opencode`);
const startOpencode: Start = async (modelUrl, url, token, home) => {
  const options = { baseURL: `${modelUrl}/v1`, apiKey: 'none' };
  const models = { scripted: { name: 'scripted', tool_call: true, limit: { context: 100_000, output: 10_000 } } };
  const config = {
    ...{ model: 'scripted/scripted', small_model: 'scripted/scripted', autoupdate: false, share: 'disabled' },
    provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options, models } },
    mcp: { vaga: { type: 'remote', url, oauth: false, headers: { Authorization: `Bearer ${token}` } } },
  };
  writeFileSync(join(home, 'opencode.json'), JSON.stringify(config));
  const offline = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
  await run(opencode, ['run', 'go'], { HOME: home, ...offline }, home);
};

const startGemini: Start = async (modelUrl, httpUrl, token, home) => {
  mkdirSync(join(home, '.gemini'));
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true },
    mcpServers: { vaga: { httpUrl, headers: { Authorization: `Bearer ${token}` }, trust: true } },
  };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  const folder = join(packages, '@google/gemini-cli');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const args = [join(folder, bin.gemini), '--skip-trust', '--yolo', '-m', 'gemini-2.5-flash', '-p', 'go'];
  const env = { HOME: home, GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl };
  await run(process.execPath, args, env, home);
};

const clients: Readonly<Record<string, Run>> = {
  'MCP SDK': library('MCP SDK'),
  'mcp-remote': library('mcp-remote'),
  'AI SDK': library('AI SDK'),
  LangChain: library('LangChain'),
  '@openai/agents': library('@openai/agents'),
  '@google/genai': library('@google/genai'),
  Codex: agent(startCodex),
  ...(existsSync(opencode) && { opencode: agent(startOpencode) }),
  'gemini-cli': agent(startGemini),
};

/** A folder of its own for each run. */
const ownFolders = {
  root: '',
  made: 0,
  next(): string {
    this.made += 1;
    const folder = join(this.root, `${this.made}`);
    mkdirSync(folder);
    return folder;
  },
};

const { contact_email, ...withoutEmail } = {
  ...minimalJob,
  application_method: 'email',
  contact_email: 'recrutamento@example.com',
};
const acceptedValues = Object.values(storedFields.jobs).flatMap((field) => ('values' in field ? field.values : []));

/** These check arguments against the schema themselves; null is not an integer there. */
const refuseNull = ['LangChain', 'gemini-cli'];
const nothing = { page: null, per_page: null, status: null, updated_since: null, cursor: null };

/** Those before a client's first call and its first six calls fit the limit; the others use up the rest. */
const requestsPerMinute = 16;
const furtherCalls = Array.from(
  { length: requestsPerMinute },
  (_, at): ToolCall => [at % 2 === 0 ? 'get_account' : 'list_regions', {}],
);
/** 3.3 KB as JSON. */
const long = { requirements: 'Carta de condução. '.repeat(130) };

describe('agents and their libraries (needs npm ci --prefix test/agents)', () => {
  ownFolders.root = ownFolder();
  let limited: Server;

  before(async function () {
    if (!existsSync(packages)) return this.skip();
    // On a slow machine, a client needs more than a minute.
    const limitStore = memoryStore(3600);
    limited = await startApp({ REQUESTS_PER_MINUTE: String(requestsPerMinute) }, { limitStore });
  });

  // One run of the client, because starting it takes longer than everything that it does.
  for (const [name, start] of Object.entries(clients))
    describe(name, () => {
      let acme: TestCompany;
      let session: Session;

      before(async () => {
        acme = await newCompany();
        const writer = await acme.writer('sandbox');
        for (let at = 1; at < 25; at++) await writer.create({ ...minimalJob, ...long, title: `Vaga ${at}.` });
        const key = freshKey();
        const job = { ...withoutEmail, ...long };
        session = await start(addressOf(limited) + policy.sandbox.mcpPath, await acme.secret('sandbox', 'write'), [
          ['list_regions', {}],
          ['create_job', { idempotency_key: key, job }],
          ['create_job', { idempotency_key: key, job: { ...job, contact_email } }],
          ['list_jobs', refuseNull.includes(name) ? {} : nothing],
          ['list_jobs', { per_page: 10 }],
          ['list_jobs', {}],
          ...furtherCalls,
        ]);
      });

      it('lists the tools, gets a refusal, corrects the job, and reads the list', async () => {
        const { names, offered, read } = session;
        for (const { tool } of tools)
          expect(
            names.some((offered) => offered.endsWith(tool.name)),
            tool.name,
          ).to.equal(true);
        // Whatever a client drops of a schema, these words arrive.
        for (const words of ['not Markdown', 'needs contact_email', ...acceptedValues])
          expect(offered).to.include(words);
        expect(read).to.have.length(6 + furtherCalls.length);
        const [regions, refused, created, listed] = read;
        expect(regions).to.include('Porto');
        expect(refused).to.include('is required when application_method is email');
        for (const result of [created, listed]) expect(result).to.include(minimalJob.title);
        const { body } = await (await acme.reader('sandbox')).get('/jobs?per_page=100');
        expect(body.data).to.have.length(25);
      });

      it('the model gets all of ten jobs, and at least the newest of 25', () => {
        const [ten = '', all = ''] = session.read.slice(4);
        expect(ten).to.include(minimalJob.title);
        for (let at = 24; at > 15; at--) expect(ten).to.include(`Vaga ${at}.`);
        expect(all).to.include(minimalJob.title);
      });

      it('at the request limit, the model learns how long to wait', () => {
        const refused = session.read.slice(6).filter((result) => !/company_id|Porto/.test(result));
        expect(refused).to.not.deep.equal([]);
        for (const result of refused) expect(result).to.match(/limit|retry/i);
      });
    });
});
