import * as store from '../store/people.ts';
import type { ActionContext } from './context.ts';

/** All administrators, by address. */
export const listAdministrators = (ctx: ActionContext): Promise<{ id: bigint; email: string }[]> =>
  store.listAdministrators(ctx.db);
