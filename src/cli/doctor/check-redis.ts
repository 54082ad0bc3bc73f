import type { Config } from '../../config.ts';
import { firstLine } from '../../database/database-errors.ts';
import { inspectRedis } from '../../database/inspect-redis.ts';
import { clockFinding, type Finding, orFine, wrong } from './finding.ts';

const timeoutMs = 3000;
const check = 'redis';

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const facts = await inspectRedis(redisUrl, timeoutMs).catch(firstLine);
  if (typeof facts === 'string') {
    const found = `it cannot be used, so each process counts requests by itself: ${facts}`;
    return [wrong(check, found, 'correct REDIS_URL, or start the server')];
  }
  const { version, role, memoryMax, evictionPolicy, aheadMs, uncertainMs } = facts;
  return [
    ...orFine(
      [
        Number.parseInt(version, 10) < 7 && wrong(check, `Redis ${version} is too old`, 'use Redis 7 or newer'),
        role !== 'master' && wrong(check, 'it is a replica and takes no writes', 'point REDIS_URL at the primary'),
        memoryMax > 0 &&
          evictionPolicy !== 'noeviction' &&
          wrong(
            check,
            `with maxmemory-policy ${evictionPolicy} it forgets request counts when memory is short`,
            'set maxmemory-policy to noeviction',
          ),
      ],
      check,
      `Redis ${version}`,
    ),
    clockFinding('redis clock', aheadMs, uncertainMs),
  ];
}
