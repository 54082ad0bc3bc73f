import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readDocument } from '../../scripts/generate/document.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { policy } from '../../src/domain/environment.ts';
import { addressOf } from '../helper/address.ts';
import { bodyExamples, operations } from '../helper/contract-examples.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { portmanConfig, withoutUnchanged } from './portman.ts';

const own = join(packageRoot, 'test/conformance');
const contract = join(packageRoot, 'openapi.yaml');

interface Violation {
  readonly location: readonly ['request' | 'response', ...string[]];
  readonly message: string;
}

/** A request, its response, and the findings of Portman and Prism. */
interface Sent {
  readonly name: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
  readonly failed: readonly string[];
  readonly violations: readonly Violation[];
}

const run = promisify(execFile);
const options = (cwd: string) => ({ cwd, maxBuffer: 2 ** 26 });

/** Sends the requests of a Postman collection, which is a file in that folder. */
async function sendAll(folder: string, ...args: string[]): Promise<{ sent: readonly Sent[]; checks: number }> {
  const { stdout } = await run(process.execPath, [join(own, 'run-collection.mjs'), ...args], options(folder));
  return JSON.parse(stdout);
}

const found = ({ violations }: Sent, where: 'request' | 'response') =>
  violations.filter(({ location }) => location[0] === where);

describe('the running service against openapi.yaml (needs npm ci --prefix test/conformance)', () => {
  const folder = ownFolder();
  const processes: ChildProcess[] = [];
  let sent: readonly Sent[] = [];
  let checks = 0;

  /** The address of a proxy in front of the service that compares traffic with a contract. */
  async function startPrism(text: string): Promise<string> {
    // Prism adds null to the enum of a nullable field. If the enum already has it, as OpenAPI requires, Prism silently checks no body at
    // all.
    const withoutNull = JSON.stringify(readDocument(text), (key, value) =>
      key === 'enum' && Array.isArray(value) ? value.filter((item) => item !== null) : value,
    );
    const port = await freePort();
    const file = join(folder, `${port}.json`);
    writeFileSync(file, withoutNull);
    const upstream = addressOf(server()) + policy.sandbox.restBase;
    const prism = spawn(join(own, 'node_modules/.bin/prism'), ['proxy', file, upstream, '-p', String(port)]);
    processes.push(prism);
    await new Promise<void>((resolve, reject) => {
      prism.stdout.on('data', (chunk) => String(chunk).includes('is listening') && resolve());
      prism.on('close', () => reject(new Error('Prism did not start')));
    });
    return `http://127.0.0.1:${port}`;
  }

  before(async function () {
    if (!existsSync(join(own, 'node_modules'))) return this.skip();
    const acme = await newCompany();
    const base = await startPrism(readFileSync(contract, 'utf8'));
    const [token, readToken] = await Promise.all([acme.secret('sandbox', 'write'), acme.secret('sandbox', 'read')]);
    // The contract's first response of POST /jobs is the replay of a create.
    const create = operations.find(({ operationId }) => operationId === 'createJob');
    const [[, job] = []] = bodyExamples(create?.operation.requestBody);
    const key = create?.parameters.find(({ name }) => name === 'Idempotency-Key')?.example;
    expect((await (await acme.writer()).create(job, String(key))).status).to.equal(201);
    writeFileSync(join(folder, 'portman.json'), JSON.stringify(portmanConfig(token, readToken)));
    const portman = ['-l', contract, '-b', base, '-c', 'portman.json', '-o', 'made.json', '-t', 'true'];
    await run(join(own, 'node_modules/.bin/portman'), portman, options(folder));
    const collection = withoutUnchanged(JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')));
    writeFileSync(join(folder, 'collection.json'), JSON.stringify(collection));
    ({ sent, checks } = await sendAll(folder, 'collection.json'));
  });

  after(() => {
    for (const prism of processes) prism.kill();
  });

  it('Portman finds the contract’s status, headers and body in every response', () => {
    expect(
      sent.flatMap(({ name, status, failed }) => failed.map((check) => `${name} ${status}: ${check}`)),
    ).to.deep.equal([]);
    expect(checks).to.be.above(400);
    const statuses = new Set(sent.map(({ status }) => status));
    expect([...statuses]).to.include.members([200, 201, 204, 401, 403, 404, 409, 412, 422, 429, 503]);
  });

  it('Prism finds only responses that the contract allows, no allowed request refused, and no wrong request accepted', () => {
    for (const one of sent) {
      expect(found(one, 'response'), one.name).to.deep.equal([]);
      if (found(one, 'request').length > 0) expect(one.status, one.name).to.equal(422);
    }
    // Prism does not know the extensions, such as the length of a body after sanitizing.
    const refused = sent.filter(({ status }) => status === 422);
    expect(refused.filter((one) => found(one, 'request').length > 0).length).to.be.above(refused.length - 3);
  });

  it('Prism does find a response that a contract does not allow', async () => {
    const base = await startPrism(
      readFileSync(contract, 'utf8').replace('required: [company_id, plan,', 'required: [colour, plan,'),
    );
    const acme = await newCompany();
    const headers = { Authorization: `Bearer ${await acme.secret('sandbox', 'read')}` };
    const response = await fetch(`${base}/account`, { headers });
    expect(response.headers.get('sl-violations')).to.include("must have required property 'colour'");
  });
});

describe('Postman’s import of the published contract (needs npm ci --prefix test/conformance)', () => {
  const folder = ownFolder();

  before(function () {
    if (!existsSync(join(own, 'node_modules'))) this.skip();
  });

  /** Imports the contract as the service publishes it, sets only the token, and sends every request. */
  async function sendImported(parametersResolution: 'Example' | 'Schema'): Promise<readonly Sent[]> {
    const acme = await newCompany();
    const published = await fetch(`${addressOf(server())}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await published.text());
    const converter = join(own, 'node_modules/.bin/openapi2postmanv2');
    const setting = `parametersResolution=${parametersResolution}`;
    await run(converter, ['-s', 'openapi.json', '-o', 'imported.json', '-O', setting], options(folder));
    return (await sendAll(folder, 'imported.json', await acme.secret('sandbox', 'write'))).sent;
  }

  it('with the contract’s examples every request succeeds, or is 404 because the company has no job of that id', async () => {
    const sent = await sendImported('Example');
    const answers = sent.map(({ name, status }) => `${name}: ${status < 300 ? 'success' : status}`);
    const expected = operations.map(
      ({ method, path, operation }) =>
        `${method.toUpperCase()} ${operation.summary}: ${path.includes('{') ? 404 : 'success'}`,
    );
    expect(answers).to.have.members(expected);
  });

  it('with Postman’s own values, which are its default, a read is refused only for what is a placeholder such as <string>', async () => {
    const reads = (await sendImported('Schema')).filter(({ name }) => name.startsWith('GET '));
    expect(reads.length).to.equal(operations.filter(({ method }) => method === 'get').length);
    for (const { name, url, status, body } of reads) {
      const values = [...new URL(url).searchParams];
      const placeholders = values.filter(([, value]) => /^<\w+>$/.test(value)).map(([parameter]) => parameter);
      if (placeholders.length > 0) expect(JSON.parse(body).error.details, name).to.have.all.keys(placeholders);
      else expect(status, name).to.equal(/\/%3C\w+%3E$/.test(url) ? 404 : 200);
    }
  });
});
