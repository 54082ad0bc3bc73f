import type { Request } from 'express';
import type { Environment } from '../domain/environment.ts';
import { pageNotFound } from './error-page.tsx';

/** The query of a request, without NUL, which PostgreSQL's text cannot hold. */
export function searchOf({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  const at = originalUrl.indexOf('?');
  const sent = new URLSearchParams(at === -1 ? '' : originalUrl.slice(at + 1));
  return new URLSearchParams([...sent].map(([name, value]) => [withoutNul(name), withoutNul(value)]));
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');

type Params = Readonly<Record<string, string>>;

/** An id in the path of a page. Refuses with 404 what is none. */
export function idIn(params: Params, name: string): bigint {
  const text = params[name] ?? '';
  if (!/^[1-9]\d{0,17}$/.test(text)) throw pageNotFound();
  return BigInt(text);
}

/** An id in the query of a page; undefined where there is none. */
export function idInQuery(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name) ?? '';
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined;
}

/** The environment in the path of a page. Refuses with 404 what is none. */
export function environmentIn({ environment }: Params): Environment {
  if (environment !== 'sandbox' && environment !== 'production') throw pageNotFound();
  return environment;
}
