import { bodyBytesMax, bodyCharactersMax, hasVisibleCharacter } from '../domain/job-rules.ts';

const tag = /<(?:"[^"]*"|[^">])*>/g;

/** Whether serialised HTML shows a reader anything: a rule, an empty cell, a no-break or zero-width space do not count. */
export function hasVisibleText(html: string): boolean {
  return hasVisibleCharacter(html.replace(tag, '').replaceAll('&nbsp;', ''));
}

export function isWithinLimits(body: string): boolean {
  if (body.length > 2 * bodyCharactersMax || Buffer.byteLength(body) > bodyBytesMax) return false;
  if (body.length <= bodyCharactersMax) return true;
  let characters = 0;
  for (const _ of body) characters += 1;
  return characters <= bodyCharactersMax;
}
