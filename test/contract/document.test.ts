import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OpenAPIV3 } from 'openapi-types';
import { contractMistake, dereference, readDocument } from '../../scripts/generate/document.ts';
import { document, operations } from '../../src/contract/document.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { policy } from '../../src/domain/environment.ts';
import { htmlLimitsOf, rulesOf } from '../../src/domain/field-rules.ts';
import { options } from '../../src/operations/reference/api/list-reference.ts';

const schemas = (document.components as OpenAPIV3.ComponentsObject).schemas as Record<string, OpenAPIV3.SchemaObject>;

const published = JSON.parse(readFileSync(join(packageRoot, 'generated/openapi.json'), 'utf8')) as OpenAPIV3.Document;

describe('the contract', () => {
  it('is OpenAPI 3.0.3, version 1, at our addresses, with the ten operations of section 4.1', () => {
    expect(document.openapi).to.equal('3.0.3');
    expect(published.info.version).to.match(/^1\.\d+\.\d+$/);
    const { production, sandbox } = policy;
    const bases = published.servers?.map(({ url }) => new URL(url).pathname);
    expect(bases).to.have.members([production.restBase, sandbox.restBase]);
    expect([...operations.values()].map(({ method, path, scope }) => `${method} ${path} ${scope}`)).to.include.members([
      'get /account jobs:read',
      'get /categories reference:read',
      'get /regions reference:read',
      'get /districts reference:read',
      'get /options reference:read',
      'get /jobs jobs:read',
      'post /jobs jobs:write',
      'get /jobs/{id} jobs:read',
      'patch /jobs/{id} jobs:write',
      'delete /jobs/{id} jobs:write',
    ]);
  });

  it('lists every key of a 422 besides a job’s fields: every parameter, the body and the query', () => {
    const contract = readFileSync(join(packageRoot, 'openapi.yaml'), 'utf8');
    const [, rows = ''] = /\| Key \| Of what \|\n(.*?)\| any other \|/s.exec(contract) ?? [];
    const firstCells = [...rows.matchAll(/^ *\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
    const parameters = [...operations.values()].flatMap(({ parameters }) =>
      parameters.map(({ name }) => `\`${name}\``),
    );
    expect(firstCells).to.have.members([...new Set(parameters), '`request_body`', '`query`', '`X-Simulate`']);
  });

  it('says of the operations with a body, and of no other, that it may be malformed', () => {
    const responses = Object(published.components?.responses) as Record<string, OpenAPIV3.ResponseObject>;
    for (const { operationId, hasBody, method, path } of operations.values()) {
      const { $ref: name = '' } = Object(published.paths[path])[method].responses['422'];
      const refused = responses[name.replace(/.*\//, '')];
      expect(JSON.stringify(refused).includes('MalformedJson'), operationId).to.equal(hasBody);
      expect(/body|JSON/.test(refused?.description ?? ''), operationId).to.equal(hasBody);
    }
  });

  it('a sanitized body has the same limits as a sent one', () => {
    const body = schemas.JobInput?.properties?.body as OpenAPIV3.SchemaObject | undefined;
    expect(htmlLimitsOf(rulesOf('jobs').get('body') ?? {})).to.deep.equal({
      characters: body?.maxLength,
      bytes: 65_535,
    });
  });

  it('options lists the accepted values without null', () => {
    const { education_levels, ...others } = options;
    expect(education_levels).to.have.length(10);
    expect(others).to.deep.include({
      contract_types: 'full_time part_time contract temporary internship freelance'.split(' '),
      work_modalities: 'presencial remoto hibrido'.split(' '),
      salary_types: 'hourly monthly yearly negotiable not_specified'.split(' '),
      application_methods: 'system email phone external'.split(' '),
    });
  });
});

it('a document without its $refs keeps every name, also one that JavaScript uses', () => {
  const read = readDocument('{"__proto__": {"constructor": {"$ref": "#/a"}}, "a": {"__proto__": null}}');
  expect(JSON.stringify(dereference(read))).to.equal(
    '{"__proto__":{"constructor":{"__proto__":null}},"a":{"__proto__":null}}',
  );
});

it('a document that is no object is refused at its line', () => {
  const said = (yaml: string) => {
    try {
      return readDocument(yaml);
    } catch (error) {
      return contractMistake(yaml, error);
    }
  };
  expect(said('')).to.equal('openapi.yaml:1:1 must be an object: begin with openapi: 3.0.3');
  expect(said('# Nothing.\n\n- a\n')).to.equal('openapi.yaml:3:1 must be an object: begin with openapi: 3.0.3');
});
