import { options } from '../contract/options.ts';
import type { Reply } from '../contract/types.ts';
import { ready } from '../domain/ready.ts';

const list = ready({ data: options });

/** The accepted values of the enumerated fields, as the contract lists them. */
export async function listOptions(): Promise<Reply<'listOptions'>> {
  return { status: 200, body: list.body, ready: list };
}
