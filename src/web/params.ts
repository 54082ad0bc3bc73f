import type { Request } from 'express';
import type { Environment } from '../domain/environment.ts';
import { environmentLabels } from './labels.ts';
import { pageNotFound } from './page.ts';
import type { Translate } from './texts/t.ts';

/** The request's query without NUL characters, which PostgreSQL's text type cannot store. */
export function queryOf({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  const at = originalUrl.indexOf('?');
  const sent = new URLSearchParams(at === -1 ? '' : originalUrl.slice(at + 1));
  return new URLSearchParams([...sent].map(([name, value]) => [withoutNul(name), withoutNul(value)]));
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** A select field's options: value and text. */
export type Options<T extends string = string> = readonly (readonly [T, string])[];

/** The query parameter's value if it is one of the options. */
export const optionIn = <T extends string>(query: URLSearchParams, name: string, options: Options<T>): T | undefined =>
  options.find(([value]) => value === query.get(name))?.[0];

/** The keys of a table of labels as options. */
export const optionsOf = <V extends string>(labels: Readonly<Record<V, string>>, t: Translate): Options<V> =>
  (Object.keys(labels) as V[]).map((value) => [value, t(labels[value])]);

export const environmentOptions = (t: Translate): Options<Environment> => optionsOf(environmentLabels, t);

const id = /^[1-9]\d{0,17}$/;

/** An id in the query, or undefined. */
export function idInQuery(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name) ?? '';
  return id.test(text) ? BigInt(text) : undefined;
}

type Params = Readonly<Record<string, string>>;

/** An id in the path. Throws 404 if it is not one. */
export function idIn(params: Params, name: string): bigint {
  const text = params[name] ?? '';
  if (!id.test(text)) throw pageNotFound();
  return BigInt(text);
}

/** The environment in the path. Throws 404 if it is not one. */
export function environmentIn({ environment }: Params): Environment {
  if (environment !== 'sandbox' && environment !== 'production') throw pageNotFound();
  return environment;
}
