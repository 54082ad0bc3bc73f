import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { breakingChanges, versionOf } from './contract-changes.ts';

// npm run check:breaking: openapi.yaml against the contract as it was released. What breaks a client needs a greater version in
// the contract and an entry of that version in CHANGELOG.md. After a release: cp openapi.yaml scripts/released/openapi.yaml

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [released, today] = [join(root, 'scripts/released/openapi.yaml'), join(root, 'openapi.yaml')];
const changes = await breakingChanges(released, today);
const [before, now] = [versionOf(released), versionOf(today)];
const isNoted = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## ${now}\n`);
if (changes.length === 0) console.log(`openapi.yaml ${now} breaks nobody who uses ${before}`);
else {
  console.log(`openapi.yaml breaks clients of ${before}:\n${changes.map((change) => `- ${change}`).join('\n')}`);
  if (now === before) console.error(`its version must be another than ${before}`);
  if (!isNoted) console.error(`CHANGELOG.md must have an entry "## ${now}"`);
  if (now === before || !isNoted) process.exitCode = 1;
}
