import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { breakingChanges } from '../../scripts/check-breaking.ts';
import { readDocument } from '../../scripts/generate/document.ts';
import { expandContract } from '../../scripts/generate/expand-contract.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from '../helper/own-folder.ts';

const status = 'enum: [active, pending, inactive, expired]';

/** Edits of the current contract, and whether they break its clients. */
const edits: Readonly<Record<string, readonly [from: string, to: string, isBreaking: boolean]>> = {
  'a shorter field': ['maxLength: 255', 'maxLength: 200', true],
  'a value that is no longer taken': [status, status.replace(', expired', ''), true],
  'a path that is gone': ['  /regions:\n', '  /areas:\n', true],
  'an operation that is renamed': ['operationId: listRegions', 'operationId: listAreas', true],
  'another scope': ['x-scope: reference:read', 'x-scope: jobs:write', true],
  'a smaller page': ['maximum: 100\n        default: 25', 'maximum: 50\n        default: 25', true],
  'a header no longer sent': ['            ETag:\n              $ref: "#/components/headers/ETag"\n', '', true],
  nothing: ['', '', false],
  'a longer idempotency key': ['maxLength: 128', 'maxLength: 200', false],
  'another description': ['summary: List the categories', 'summary: All categories', false],
  'one more reason': ['enum: [database, sanitizer,', 'enum: [tide, database, sanitizer,', false],
};

describe('the check for breaking changes', function () {
  this.timeout(180_000);
  const contract = join(packageRoot, 'generated/openapi.yaml');

  it('sees what breaks clients, and lets pass what they do not notice', async () => {
    const edited = join(ownFolder(), 'openapi.json');
    const text = await readFile(join(packageRoot, 'openapi.yaml'), 'utf8');
    for (const [name, [from, to, isBreaking]] of Object.entries(edits)) {
      expect(text, `${name} finds its place`).to.contain(from);
      await writeFile(edited, JSON.stringify(expandContract(readDocument(text.replace(from, to)))));
      expect((await breakingChanges(contract, edited)).length > 0, name).to.equal(isBreaking);
    }
  });

  it('the contract does not break users of the released one', async () => {
    expect(await breakingChanges(join(packageRoot, 'scripts/released/openapi.yaml'), contract)).to.deep.equal([]);
  });
});
