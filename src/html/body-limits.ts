/** Code points, as JSON Schema counts `maxLength` (section 2.1 of the requirements). */
export const bodyCharactersMax = 30_000;
/** UTF-8 bytes (section 2.1 of the requirements). */
export const bodyBytesMax = 65_535;

const invisible = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]/gu;
const tag = /<(?:"[^"]*"|[^">])*>/g;

/** Whether serialised HTML shows a reader anything: a rule, an empty cell, a no-break or zero-width space do not count. */
export function hasVisibleText(html: string): boolean {
  return html.replace(tag, '').replaceAll('&nbsp;', '').replace(invisible, '') !== '';
}

export function isWithinLimits(body: string): boolean {
  if (body.length > 2 * bodyCharactersMax || Buffer.byteLength(body) > bodyBytesMax) return false;
  if (body.length <= bodyCharactersMax) return true;
  let characters = 0;
  for (const _ of body) characters += 1;
  return characters <= bodyCharactersMax;
}
