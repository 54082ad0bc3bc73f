import * as store from '../../queries/people.ts';
import type { ActionContext } from '../recorded.ts';

/** All administrators, by address. */
export const listAdministrators = (ctx: ActionContext): Promise<{ id: bigint; email: string }[]> =>
  store.listAdministrators(ctx.db);
