/** Whether a request's target, with or without its query, is a base path or lies below it. */
export function isBelow(base: string, target: string): boolean {
  if (!target.startsWith(base)) return false;
  const next = target[base.length];
  return next === undefined || next === '/' || next === '?' || next === '#';
}
