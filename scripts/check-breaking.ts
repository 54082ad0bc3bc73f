import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../src/database/prisma-folder.ts';
import { type Changes, changesBetween, type Published } from './breaking-changes.ts';
import { type JsonObject, objectAt, readDocument } from './generate/document.ts';
import { derivedTexts } from './generate/generate.ts';

// npm run check:breaking compares openapi.yaml and the tools, as `npm run generate` would write them, with the last release. A breaking
// change needs a greater major version in openapi.yaml, an addition a greater minor one, and both need text under that version in
// CHANGELOG.md. After a release: cp openapi.yaml generated/mcp-tools.json scripts/released/, and git rev-parse HEAD >
// scripts/released/commit. That release must be able to serve one database together with the next (test/faults/two-versions.ts).

export const versionOf = (contract: JsonObject): string => String(objectAt(contract, 'info').version);

/** Returns the reasons why the newer contract may not be published like this, one line each. */
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

const published = (yaml: string, tools: string): Published => ({ contract: readDocument(yaml), tools });
const releasedFile = (name: string) => readFileSync(join(packageRoot, 'scripts/released', name), 'utf8');

export const released = (): Published => published(releasedFile('openapi.yaml'), releasedFile('mcp-tools.json'));

/** Compares the contract and tools that `npm run generate` would write in a folder with those of the last release. */
export async function sinceRelease(root: string): Promise<{ changes: Changes; before: string; now: string }> {
  const { texts } = await derivedTexts(root);
  const older = released();
  const newer = published(texts.get('openapi.yaml') ?? '', texts.get('generated/mcp-tools.json') ?? '');
  return { changes: changesBetween(older, newer), before: versionOf(older.contract), now: versionOf(newer.contract) };
}

async function main(): Promise<void> {
  const { changes, before, now } = await sinceRelease(packageRoot);
  for (const [what, lines] of Object.entries(changes)) for (const line of lines) console.log(`${what}: ${line}`);
  if (changes.breaking.length === 0) console.log(`openapi.yaml ${now} breaks nobody who uses ${before}`);
  const faults = versionFaults(before, now, changes, readFileSync(join(packageRoot, 'CHANGELOG.md'), 'utf8'));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
