import type { DataFile, Declaration } from '../operations/kit/declare.ts';
import { fieldsOf } from '../operations/kit/fields.ts';
import { filterIn } from './list.tsx';
import { givenIn } from './operation-page.tsx';
import { get, type Person, type Route } from './page.ts';
import { decimalSign } from './texts/formats.ts';

/** Serves a CSV file of the rows that a list finds for the same query, with the separator that spreadsheets in the reader's language expect. */
export const filePage = <P extends Person>(path: string, operation: Declaration<DataFile>): Route<P> =>
  get(path, async (ctx) => {
    const given = givenIn(operation, ctx);
    const separator = decimalSign(ctx.t.locale) === ',' ? 'semicolon' : 'comma';
    const { input } = filterIn(ctx.query, fieldsOf(operation.input), {});
    return { kind: 'file', ...(await operation.perform(ctx, { separator, ...input, ...given })) };
  });
