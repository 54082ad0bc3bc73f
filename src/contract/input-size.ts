/** What of a JSON schema bounds the size of its values. The items of a list are scalars: `npm run generate` refuses others. */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly maxItems?: number;
}

/** A place with more than its schema has room for: `count` items where it has `max`, or unknown names. */
export interface Oversized {
  readonly path: readonly string[];
  readonly count: number;
  readonly max?: number;
}

/** Up to this many unknown names each get a message of their own. */
const unknownNamesMax = 20;

/**
 * Returns the value without what its schema has no room for: a list past `maxItems` becomes empty, and an object with more than 20
 * unknown names keeps the known ones. Adds each such place to `found`. Whatever checks the result costs what the schema allows.
 */
export function fitted(value: unknown, shape: Shape, found: Oversized[], path: readonly string[] = []): unknown {
  const { properties, maxItems } = shape;
  if (Array.isArray(value)) {
    if (maxItems === undefined || value.length <= maxItems) return value;
    found.push({ path, count: value.length, max: maxItems });
    return [];
  }
  if (typeof value !== 'object' || value === null || !properties) return value;
  const before = found.length;
  const names = Object.keys(value);
  const known = names.filter((name) => Object.hasOwn(properties, name));
  const count = names.length - known.length;
  if (count > unknownNamesMax) found.push({ path, count });
  const inner = known.map((name): [string, unknown] => [
    name,
    fitted((value as Record<string, unknown>)[name], properties[name] ?? {}, found, [...path, name]),
  ]);
  if (found.length === before) return value;
  return { ...(count > unknownNamesMax ? {} : value), ...Object.fromEntries(inner) };
}
