import { expect } from 'chai';
import { asObject, type Json, type JsonObject } from '../../scripts/generate/document.ts';
import { tools } from '../../src/contract/tools.ts';
import { checkValue } from '../helper/contract-check.ts';
import { allExamples, bodyExamples, operation, operations } from '../helper/contract-examples.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { freshKey, type RestClient } from '../helper/rest-client.ts';
import { shown } from '../property/arbitrary-job.ts';

const jobsToCreate = bodyExamples(operation('createJob').operation.requestBody);
const patches = bodyExamples(operation('updateJob').operation.requestBody);

/** Every object of an example, at any depth. */
const objectsIn = (value: Json): JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
};

/** What the id in a path names, as the reason of a 404. */
const namedBy = (parameters: readonly JsonObject[]) => parameters.find((one) => one.in === 'path')?.['x-names'];

describe('the examples of the contract', () => {
  let asWriter: RestClient;
  let asAgent: McpClient;
  beforeEach(async () => {
    const acme = await newCompany();
    asWriter = await acme.writer();
    asAgent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'write'));
  });

  it('match their schemas without unknown keys; their last days lie far in the future', () => {
    const examples = allExamples();
    expect(examples.length).to.be.above(200);
    for (const { where, value, schema } of examples) checkValue(schema, value, where);
    const objects = examples.flatMap(({ value }) => objectsIn(value));
    const days = objects.flatMap(({ valid_until: day }) => (typeof day === 'string' ? [day] : []));
    expect(days.length).to.be.above(2);
    for (const day of days) expect(day >= '2090-01-01', day).to.equal(true);
  });

  it('for creating a job are accepted over REST and MCP and stored unchanged', async () => {
    for (const [name, job] of jobsToCreate) {
      const made = await asWriter.create(job, `rest-${name}`);
      expect(made.status, made.text).to.equal(201);
      expect(made.body.data).to.deep.include(shown(job));
      const called = await asAgent.call('create_job', { idempotency_key: `mcp-${name}`, job });
      expect(called.status, JSON.stringify(called.error)).to.equal(201);
    }
  });

  it('for changing a job are accepted over REST and MCP', async () => {
    for (const [name, fields] of patches) {
      const { id } = (await asWriter.create(jobsToCreate[0]?.[1])).body.data;
      expect((await asWriter.patch(id, fields)).status, name).to.equal(200);
      expect((await asAgent.call('update_job', { id, job: fields })).status, name).to.equal(200);
    }
  });

  for (const { operationId, method, path, parameters, operation: written } of operations)
    it(`${operationId} accepts the examples of its parameters, one at a time and over MCP all at once`, async () => {
      const [, body] = bodyExamples(written.requestBody)[0] ?? [];
      const required = Object.fromEntries(parameters.filter((p) => p.required).map((p) => [p.name, p.example]));
      for (const { name, in: route, example } of parameters) {
        expect(example, `${name} has an example`).to.not.equal(undefined);
        const headers = route === 'header' ? { [String(name)]: String(example) } : {};
        const key = required['Idempotency-Key'] === undefined ? {} : { 'Idempotency-Key': `of-${name}` };
        // A cursor continues a list by updated_since.
        const since = name === 'cursor' ? `&updated_since=2026-11-20T09:00:00Z` : '';
        const query = route === 'query' ? `?${name}=${example}${since}` : '';
        const where = path.replace('{id}', String(required.id)) + query;
        const answer = await asWriter.send(method.toUpperCase(), where, body, { ...key, ...headers });
        const { reason } = answer.body.error?.details ?? {};
        if (required.id !== undefined) expect(reason, 'nothing has that id yet').to.equal(namedBy(parameters));
        else expect(answer.status, `${name}: ${answer.text}`).to.be.oneOf([200, 201]);
      }
      const tool = tools.find((one) => one.operationId === operationId);
      if (!tool) return;
      const exampleOf = (route: string, name: string) =>
        route === 'body'
          ? body
          : parameters.find((p) => p.name === (route.startsWith('header:') ? route.slice(7) : name))?.example;
      const args = Object.entries(tool.arguments).map(([name, route]) => [name, exampleOf(route, name)]);
      const called = await asAgent.call(tool.tool.name, Object.fromEntries(args));
      if (required.id === undefined) expect(called.status, JSON.stringify(called.error)).to.be.oneOf([200, 201]);
      else expect(called.error?.details).to.deep.equal({ reason: namedBy(parameters) });
    });

  it('all filled in at once, as importers of the contract do, lead to success with the id of what exists', async () => {
    for (const { operationId, method, path, parameters, operation: written } of operations) {
      const id = path.includes('{id}') ? await newOne(path.replace(/\/\{id\}.*/, '')) : '';
      const examplesOf = (place: string) =>
        parameters
          .filter((p) => p.in === place)
          .map(({ name, example }): [string, string] => [String(name), String(example)]);
      const query = new URLSearchParams(examplesOf('query')).toString();
      const headers = Object.fromEntries(examplesOf('header'));
      const [, body] = bodyExamples(written.requestBody)[0] ?? [];
      const where = `${path.replace('{id}', id)}?${query}`;
      const { status, text } = await asWriter.send(method.toUpperCase(), where, body, headers);
      expect(status, `${operationId}: ${text}`).to.be.oneOf([200, 201, 204]);
    }
  });

  /** Creates what is listed at a path from its first example, and returns its id. */
  async function newOne(path: string): Promise<string> {
    const creates = operations.find((one) => one.path === path && one.method === 'post');
    const [, body] = bodyExamples(creates?.operation.requestBody)[0] ?? [];
    const made = await asWriter.send('POST', path, body, { 'Idempotency-Key': freshKey() });
    expect(made.status, made.text).to.equal(201);
    return String(made.body.data.id);
  }

  it('of reference data are rows that the service lists; the example of options is complete', async () => {
    for (const operationId of ['listCategories', 'listRegions', 'listDistricts', 'listOptions']) {
      const { path, operation: written } = operation(operationId);
      const real = (await asWriter.get(path)).body.data;
      const [[, { data }] = ['', {} as JsonObject]] = bodyExamples(asObject(written.responses, path)['200']);
      if (Array.isArray(data)) for (const row of data) expect(real).to.deep.include(row);
      else expect(data).to.deep.equal(real);
    }
  });
});
