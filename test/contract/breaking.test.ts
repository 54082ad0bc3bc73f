import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { changesBetween, versionFaults } from '../../scripts/check-breaking.ts';
import { completeContract } from '../../scripts/generate/complete-contract.ts';
import { readDocument } from '../../scripts/generate/document.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from '../helper/own-folder.ts';

const status = 'enum: [active, pending, inactive, expired]';
const field = '        sort_key: { type: integer, minimum: 1, maximum: 99, nullable: true, description: A number. }\n';

/** Edits of the current contract, and what its clients see. */
const edits: Readonly<Record<string, readonly [from: string, to: string, change?: 'breaking' | 'added']>> = {
  'a shorter field': ['maxLength: 255', 'maxLength: 200', 'breaking'],
  'a value that is no longer taken': [status, status.replace(', expired', ''), 'breaking'],
  'a value that strict clients do not know': ['full_time, ', 'full_time, seasonal, ', 'breaking'],
  'a path that is gone': ['  /regions:\n', '  /areas:\n', 'breaking'],
  'an operation that is renamed': ['operationId: listRegions', 'operationId: listAreas', 'breaking'],
  'another scope': ['x-scope: reference:read', 'x-scope: jobs:write', 'breaking'],
  'a smaller page': ['maximum: 100\n        default: 25', 'maximum: 50\n        default: 25', 'breaking'],
  'a header no longer sent': ['            ETag:\n              $ref: "#/components/headers/ETag"\n', '', 'breaking'],
  nothing: ['', ''],
  'another description': ['summary: List the categories', 'summary: All categories'],
  'a longer idempotency key': ['maxLength: 128', 'maxLength: 200', 'added'],
  'one more reason': ['enum: [database, sanitizer,', 'enum: [tide, database, sanitizer,', 'added'],
  'one more field': ['    JobPatch:\n', `${field}    JobPatch:\n`, 'added'],
};

it('what breaks clients, what they may use, and what they do not notice are told apart', async function () {
  this.timeout(180_000);
  const edited = join(ownFolder(), 'openapi.json');
  const text = (await readFile(join(packageRoot, 'openapi.yaml'), 'utf8')).replace(/\n+( {4}JobPatch:)/, '\n$1');
  const last = readDocument(text);
  for (const [name, [from, to, change]] of Object.entries(edits)) {
    expect(text, `${name} finds its place`).to.contain(from);
    await writeFile(edited, JSON.stringify(completeContract(readDocument(text.replace(from, to)), last)));
    const { breaking, added } = await changesBetween(join(packageRoot, 'openapi.yaml'), edited);
    const found = breaking.length > 0 ? 'breaking' : added.length > 0 ? 'added' : undefined;
    expect(found, name).to.equal(change);
  }
});

it('a break needs a greater major version, an addition a greater minor one, and both an entry with text', () => {
  const log = '# Changes\n\n## 2.0.0\n\n## 1.10.0\n\nA field.\n\n## 1.9.0\n\nThe first.\n';
  const [breaks, adds, none] = [
    { breaking: ['x'], added: ['y'] },
    { breaking: [], added: ['y'] },
    { breaking: [], added: [] },
  ];
  for (const [changes, now, ...faults] of [
    [breaks, '0.9.0', 'at least 2.0.0, not 0.9.0', '"## 0.9.0"'],
    [breaks, '1.10.0', 'at least 2.0.0, not 1.10.0'],
    [breaks, '2.0.0', '"## 2.0.0"'],
    [breaks, 'next', 'at least 2.0.0, not next', '"## next"'],
    [adds, '1.9.0', 'at least 1.10.0, not 1.9.0'],
    [adds, '1.9.1', 'at least 1.10.0, not 1.9.1', '"## 1.9.1"'],
    [adds, '1.10.0'],
    [adds, '3.0.0', '"## 3.0.0"'],
    [none, '1.9.0'],
    [none, '1.8.9', 'at least 1.9.0, not 1.8.9'],
  ] as const) {
    const found = versionFaults('1.9.0', now, changes, log);
    expect(found.length, found.join()).to.equal(faults.length);
    for (const [at, fault] of faults.entries()) expect(found[at]).to.include(fault);
  }
  expect(versionFaults('1.9.0', '2.0.0', breaks, log.replace('## 2.0.0\n', '## 2.0.0\n\nNew.\n'))).to.deep.equal([]);
});
