import type { NameOf } from '../domain/errors.ts';
import { rulesOf } from '../domain/job-rules.ts';
import { isSameName, nearest } from '../domain/nearest.ts';
import { type Operation, wholeBody } from './document.ts';
import { tools } from './tools.ts';

/** Says where an unknown name belongs, or which field was probably meant. */
export function unknownField(name: string, isInBody: boolean, operation: Operation, nameOf: NameOf): string {
  const hint = isInBody ? hintInside(name, operation, nameOf) : hintOutside(name, operation, nameOf);
  return hint === undefined ? 'is not a known field' : `is not a known field; ${hint}`;
}

function hintInside(name: string, operation: Operation, nameOf: NameOf): string | undefined {
  if (operation.serviceFields.includes(name)) return 'leave it out: the service sets it';
  const outer = parameterNames(operation).map(nameOf);
  const misplaced = outer.find((known) => isSameName(known, name));
  return misplaced ? `send ${misplaced} outside ${nameOf(wholeBody)}` : didYouMean(nearestFields(name, operation));
}

function hintOutside(name: string, operation: Operation, nameOf: NameOf): string | undefined {
  const place = `inside ${nameOf(wholeBody)}`;
  if (operation.bodyFields.includes(name)) return `send it ${place}`;
  const known = [...parameterNames(operation), ...(operation.hasBody ? [wholeBody] : [])].map(nameOf);
  // A header that was sent as a query parameter.
  if (known.includes(name)) return undefined;
  return didYouMean(nearest(name, known)) ?? didYouMean(nearestFields(name, operation), `, ${place}`);
}

/** Without the headers that are no argument of a tool, such as If-None-Match. */
function parameterNames({ operationId, parameters }: Operation): string[] {
  const places = Object.values(tools.find((tool) => tool.operationId === operationId)?.arguments ?? {});
  return parameters
    .filter((parameter) => parameter.in !== 'header' || places.includes(`header:${parameter.name}`))
    .map((parameter) => parameter.name);
}

/** By their labels too: `region` is district_id. */
function nearestFields(name: string, { bodyFields }: Operation): string[] {
  const named = new Map(bodyFields.map((field) => [rulesOf.get(field)?.label ?? field, field]));
  const found = nearest(name, [...bodyFields, ...named.keys()]);
  return [...new Set(found.map((word) => named.get(word) ?? word))];
}

const suggestionsMax = 2;

const didYouMean = (names: readonly string[], place = ''): string | undefined =>
  names.length === 0 ? undefined : `did you mean ${names.slice(0, suggestionsMax).join(' or ')}${place}?`;
