import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { breakingChanges } from '../../scripts/check-breaking.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';

type Edit = readonly [from: string, to: string];

/** Edits that break clients of the current contract. */
const breaking: Readonly<Record<string, Edit>> = {
  'a shorter field': ['maxLength: 255', 'maxLength: 200'],
  'a value that is no longer taken': [
    'enum: [active, pending, inactive, expired]',
    'enum: [active, pending, inactive]',
  ],
  'a path that is gone': ['  /regions:\n', '  /areas:\n'],
  'an operation that is renamed': ['operationId: listRegions', 'operationId: listAreas'],
  'another scope': ['x-scope: reference:read', 'x-scope: jobs:write'],
  'a smaller page': ['maximum: 100\n        default: 25', 'maximum: 50\n        default: 25'],
  'a header that is no longer sent': ['            ETag:\n              $ref: "#/components/headers/ETag"\n', ''],
};

/** Edits that no client notices. */
const harmless: Readonly<Record<string, Edit>> = {
  nothing: ['', ''],
  'a longer idempotency key': ['maxLength: 128', 'maxLength: 200'],
  'another description': ['summary: List the categories', 'summary: All categories'],
  'one more reason': ['enum: [database, sanitizer,', 'enum: [tide, database, sanitizer,'],
};

describe('the check for breaking changes', function () {
  this.timeout(60_000);
  const contract = join(packageRoot, 'openapi.yaml');
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-contract-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const changesAfter = async ([from, to]: Edit): Promise<string[]> => {
    const text = await readFile(contract, 'utf8');
    expect(text, 'the edit finds its place').to.contain(from);
    const edited = join(folder, 'openapi.yaml');
    await writeFile(edited, text.replace(from, to));
    return breakingChanges(contract, edited);
  };

  for (const [name, edit] of Object.entries(breaking))
    it(`sees ${name}`, async () => {
      expect(await changesAfter(edit)).to.not.be.empty;
    });

  for (const [name, edit] of Object.entries(harmless))
    it(`lets ${name} pass`, async () => {
      expect(await changesAfter(edit)).to.deep.equal([]);
    });

  it('the contract does not break users of the released one', async () => {
    expect(await breakingChanges(join(packageRoot, 'scripts/released/openapi.yaml'), contract)).to.deep.equal([]);
  });
});
