import { storedFields } from '../../../../generated/stored-fields.ts';
import type { ApiContext } from '../../../context.ts';
import type { Reply, Schemas } from '../../../contract/types.ts';
import { etagOf } from '../../../domain/etag.ts';

/** The cached JSON and the ETag of each list. Making them for every request would take a third of the request's CPU time. */
const made = new WeakMap<object, { readonly text: string; readonly headers: { readonly ETag: string } }>();

function listAnswer<T extends object>(data: T) {
  const body = { data };
  let answer = made.get(data);
  if (!answer) {
    const text = JSON.stringify(body);
    answer = { text, headers: { ETag: etagOf(text) } };
    made.set(data, answer);
  }
  return { status: 200, body, ...answer } as const;
}

/** Lists all active categories, main areas and their children. A change shows within a second. */
export async function listCategories(ctx: ApiContext): Promise<Reply<'listCategories'>> {
  return listAnswer(await ctx.reference.categories(ctx));
}

/** Lists all districts and autonomous regions; their ids are a job's `district_id`. */
export async function listRegions(ctx: ApiContext): Promise<Reply<'listRegions'>> {
  return listAnswer(await ctx.reference.districts(ctx));
}

/** Answers with the list of `listRegions` under another path. */
export const listDistricts = (ctx: ApiContext): Promise<Reply<'listDistricts'>> => listRegions(ctx);

const enums = Object.values(storedFields)
  .flatMap((fields) => Object.values(fields))
  .flatMap((field) => (field.kind === 'enum' ? [field] : []));

/** The accepted values of the enumerated fields. The cast is safe: `Options` and `storedFields` are generated from the same fields. */
export const options = Object.fromEntries(
  enums.map(({ options, values }) => [options, [...values]]),
) as Schemas['Options'];

/** Lists the values of the enumerated fields, as the contract declares them. */
export async function listOptions(): Promise<Reply<'listOptions'>> {
  return listAnswer(options);
}
