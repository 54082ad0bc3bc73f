import type { Log } from '../log.ts';
import type { Store } from '../store/open.ts';
import { type LimitBackend, memoryBackend, postgresqlBackend, redisBackend } from './limit-backend.ts';

/** Redis where there is one, else the server's database; the embedded database is served by one process, which counts for itself. */
export async function openLimitBackend(
  { redisUrl }: { readonly redisUrl: string | undefined },
  { kind, pools }: Pick<Store, 'kind' | 'pools'>,
  log: Log,
): Promise<LimitBackend> {
  if (redisUrl) return redisBackend(redisUrl, log);
  return kind === 'server' ? postgresqlBackend(pools.admission, log) : memoryBackend;
}
