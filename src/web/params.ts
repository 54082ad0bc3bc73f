import type { Environment } from '../domain/environment.ts';
import { pageNotFound } from './error-page.tsx';

type Params = Readonly<Record<string, string>>;

/** An id in the path of a page. Refuses with 404 what is none. */
export function idIn(params: Params, name: string): bigint {
  const text = params[name] ?? '';
  if (!/^[1-9]\d{0,17}$/.test(text)) throw pageNotFound();
  return BigInt(text);
}

/** The environment in the path of a page. Refuses with 404 what is none. */
export function environmentIn({ environment }: Params): Environment {
  if (environment !== 'sandbox' && environment !== 'production') throw pageNotFound();
  return environment;
}
