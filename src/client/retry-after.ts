/**
 * The seconds that an answer asks to wait, from either form of Retry-After (RFC 9110, 10.2.3). A date is held against the
 * answer's own Date where there is one, because this machine's clock may be wrong.
 */
export function retryAfterSeconds(headers: Headers, now: Date): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  if (!value.endsWith('GMT')) return undefined;
  const sent = Date.parse(headers.get('Date') ?? '');
  const milliseconds = Date.parse(value) - (Number.isNaN(sent) ? now.getTime() : sent);
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000));
}
