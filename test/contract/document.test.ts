import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { OpenAPIV3 } from 'openapi-types';
import { document, operations } from '../../src/contract/document.ts';
import { options } from '../../src/contract/options.ts';
import { policy } from '../../src/domain/environment.ts';
import { elementsMax, htmlLimitsOf } from '../../src/sanitizer/html-limits.ts';

const schemas = (document.components as OpenAPIV3.ComponentsObject).schemas as Record<string, OpenAPIV3.SchemaObject>;

describe('the contract', () => {
  it('is OpenAPI 3.0.3, version 1.0.0, with the ten operations of section 4.1', () => {
    expect(document.openapi).to.equal('3.0.3');
    expect(document.info.version).to.equal('1.0.0');
    expect([...operations.values()].map(({ method, path, scope }) => `${method} ${path} ${scope}`)).to.have.members([
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

  it('its servers are the addresses that the service serves', () => {
    expect(document.servers?.map(({ url }) => url)).to.have.members([
      policy.production.restBase,
      policy.sandbox.restBase,
    ]);
  });

  it('JobPatch has exactly the fields of JobInput', () => {
    expect(schemas.JobPatch?.properties).to.deep.equal(schemas.JobInput?.properties);
  });

  it('the limits of a sanitized body are those of a body', () => {
    const body = schemas.JobInput?.properties?.body as OpenAPIV3.SchemaObject | undefined;
    expect(htmlLimitsOf('body')).to.deep.equal({ characters: body?.maxLength, bytes: 65_535 });
    const written = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
    expect(written).to.include(`at most ${elementsMax} elements`);
  });

  it('options lists the accepted values without null', () => {
    expect(options.contract_types).to.deep.equal([
      'full_time',
      'part_time',
      'contract',
      'temporary',
      'internship',
      'freelance',
    ]);
    expect(options.work_modalities).to.deep.equal(['presencial', 'remoto', 'hibrido']);
    expect(options.education_levels).to.have.length(10);
    expect(options.salary_types).to.deep.equal(['hourly', 'monthly', 'yearly', 'negotiable', 'not_specified']);
    expect(options.application_methods).to.deep.equal(['system', 'email', 'phone', 'external']);
  });
});
