import { expect } from 'chai';
import fc from 'fast-check';
import { draws } from '../helper/draws.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient, modernHeaders, modernMeta } from '../helper/mcp-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const methods =
  'initialize ping tools/list tools/call notifications/initialized server/discover resources/list __proto__ '.split(
    ' ',
  );
const names = ['create_job', 'update_job', 'list_jobs', 'get_job', 'withdraw_job', 'get_account', 'constructor'];
const given = ['id', 'job', 'page', 'idempotency_key', '__proto__', 'toString'];

describe('hostile MCP messages', () => {
  let asWriter: McpClient;
  beforeEach(async () => {
    asWriter = new McpClient(server(), 'sandbox', await (await newCompany()).secret('sandbox', 'write'));
  });

  const deep = '['.repeat(40_000) + ']'.repeat(40_000);
  const tooLarge = JSON.stringify({ ...minimalJob, salary_min: 0 }).replace(':0}', ':1e400}');
  /** Arguments of create_job. The first ones repeat an existing job's key. */
  const hostileArguments = [
    `{"job":${deep},"idempotency_key":"k"}`,
    `{"job":${JSON.stringify(deep)},"idempotency_key":"k"}`,
    `{"job":"{\\"__proto__\\":{\\"title\\":1}}","idempotency_key":"k"}`,
    `{"job":${tooLarge},"idempotency_key":"k"}`,
    '{"idempotency_key":["k"],"job":{}}',
    '{"__proto__":{"job":1}}',
  ];
  const repeats = hostileArguments.slice(0, 4);

  for (const era of ['legacy', 'modern'] as const)
    it(`deep nesting, huge numbers and nested JSON text are refused or harmless: ${era}`, async () => {
      const secret = await (await newCompany()).secret('sandbox', 'write');
      const isModern = era === 'modern';
      const client = new (isModern ? ModernMcpClient : McpClient)(server(), 'sandbox', secret);
      const meta = isModern ? `"_meta":${JSON.stringify(modernMeta)},` : '';
      const call = (args: string, id = '1') =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${meta}"name":"create_job","arguments":${args}}}`;
      const post = (body: string) => client.post(body, isModern ? modernHeaders('tools/call', 'create_job') : {});
      const bodies = [
        ...hostileArguments.map((args) => call(args)),
        ...[deep, call('{}', '1e400'), call('{}', JSON.stringify('x'.repeat(100_000)))],
        call('{}').replace('"2026-07-28"', deep),
        call('{}').replace('"2026-07-28"', JSON.stringify('9'.repeat(100_000))),
        call('{}').replace('"clientCapabilities":{}', `"clientCapabilities":${deep}`),
        call('{}').replace('"params":{', '"params":{"__proto__":{"name":"get_account"},'),
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${deep}}}`,
      ];
      for (const body of bodies) expect((await post(body)).status, body.slice(0, 90)).to.be.oneOf([200, 400]);
      expect((await client.call('get_account')).response).to.have.nested.property('data.jobs.used', 0);
      await client.call('create_job', { idempotency_key: 'k', job: minimalJob });
      for (const args of repeats) {
        const { body } = await post(call(args));
        expect(body.result.structuredContent.http_status, args.slice(0, 90)).to.equal(409);
      }
    });

  it('random messages with random headers never get a 500 or an internal error', async () => {
    const shallow = fc.jsonValue({ maxDepth: 1 });
    const mostly = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary }, shallow);
    /** Any of these fields, or none. */
    const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
    const version = fc.constantFrom('2026-07-28', '2025-11-25', '2027-01-01', '', '2026-07-28, 2026-07-28', 7, null);
    const meta = some({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), shallow),
      'io.modelcontextprotocol/clientInfo': fc.oneof(fc.constant({}), shallow),
      traceparent: fc.oneof(fc.string(), shallow),
      __proto__: shallow,
    });
    const message = some({
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.nat(), fc.string(), shallow),
      method: mostly(fc.constantFrom(...methods)),
      params: some({
        _meta: mostly(meta),
        name: fc.constantFrom(...names),
        arguments: fc.dictionary(fc.constantFrom(...given), fc.jsonValue({ maxDepth: 3 })),
      }),
    });
    const header = fc.stringMatching(/^[ -~]{0,40}$/);
    const encoded = ['=?base64?Z2V0X2pvYg==?=', '=?base64?/w==?=', '=?base64??='];
    const headers = some({
      'MCP-Protocol-Version': fc.oneof(version.map(String), header),
      'Mcp-Method': fc.oneof(fc.constantFrom(...methods), header),
      'Mcp-Name': fc.oneof(fc.constantFrom(...names, ...encoded), header),
      traceparent: header,
    }) as fc.Arbitrary<Record<string, string>>;
    const bodies = fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue());
    const survives = async (body: unknown, sent: Record<string, string>) => {
      const { status, text } = await asWriter.post(JSON.stringify(body), sent);
      const name = JSON.stringify([body, sent]);
      expect(status, name).to.be.oneOf([200, 202, 400, 404]);
      expect(text, name).to.not.match(/-32603|"http_status":500/);
    };
    await fc.assert(fc.asyncProperty(bodies, headers, survives), { numRuns: draws(100, 1000) });
  });
});
