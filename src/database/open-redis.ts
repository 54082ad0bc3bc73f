import { Redis } from 'ioredis';

/** How long a request may wait for an answer of Redis. */
const answerMs = 500;

interface Watch {
  /** Called when a command, the connection or an attempt to connect fails. */
  onFailure(error: Error): void;
  onReady(): void;
}

/**
 * A client that is its own circuit breaker: it drops a connection that fails or stays silent, fails commands at once while there is
 * none, and connects again every second. Resolves after the first attempt, connected or not.
 */
export async function openRedis(url: string, { onFailure, onReady }: Watch): Promise<Redis> {
  const redis = new ImpatientRedis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 1000,
    // After a failover the old primary refuses writes: a new connection finds the new one.
    reconnectOnError: (error) => {
      // The client sends the script itself then.
      if (error.message.startsWith('NOSCRIPT')) return false;
      onFailure(error);
      return true;
    },
  });
  redis.on('error', onFailure).on('ready', onReady);
  redis.on('reconnecting', () => onFailure(new Error('the connection was closed')));
  await redis.connect().catch(() => undefined);
  return redis;
}

/**
 * Drops a connection that leaves a command unanswered. In place of ioredis's `commandTimeout` and `socketTimeout`, which also fire
 * where the answer has come and this process was too busy to read it.
 */
class ImpatientRedis extends Redis {
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    const [command] = args;
    const sent = super.sendCommand(...args);
    const { stream } = this;
    let isAnswered = false;
    const drop = (): void => {
      if (!isAnswered) stream.destroy(new Error(`no answer within ${answerMs} ms`));
    };
    // Between timers and immediates Node reads what has come in.
    const timer = setTimeout(() => setImmediate(drop), answerMs);
    const answered = (): void => {
      isAnswered = true;
      clearTimeout(timer);
    };
    command.promise.then(answered, answered);
    return sent;
  }
}
