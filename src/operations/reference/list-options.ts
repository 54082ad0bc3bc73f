import { options } from '../../contract/options.ts';
import type { Reply } from '../../contract/types.ts';
import { cachedJson } from '../../domain/cached-json.ts';

const list = cachedJson({ data: options });

/** The accepted values of the enumerated fields, as the contract lists them. */
export async function listOptions(): Promise<Reply<'listOptions'>> {
  return { status: 200, body: list.body, cached: list };
}
