import type { Tenant } from '../../domain/environment.ts';
import { countByMinute, type MinuteCount } from '../../queries/request-log.ts';
import type { ActionContext } from '../recorded.ts';

const minutes = 60;
const minuteMs = 60_000;

/** The requests of the last hour by the minute, oldest first: 60 entries, of which the last is the minute that runs. */
export const requestsPerMinute = (ctx: ActionContext, { companyId, environment }: Tenant): Promise<MinuteCount[]> =>
  countByMinute(ctx.db, { companyId, environment }, new Date(ctx.now.getTime() - (minutes - 1) * minuteMs), ctx.now);
