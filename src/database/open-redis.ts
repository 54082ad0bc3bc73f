import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** How long a request may wait for Redis. */
const commandTimeoutMs = 500;
/** After an answer that came too late, so many must come in time, with a pause after each, before a request waits for Redis again. */
const probes = 5;
const probePauseMs = 500;

interface Watch {
  /** Called when a command, the connection or an attempt to connect fails. */
  onFailure(error: Error): void;
  onReady(): void;
}

/**
 * A client with a circuit breaker: it drops a connection that fails or times out, fails commands at once while disconnected, and
 * reconnects every second. Resolves after the first attempt, connected or not.
 */
export async function openRedis(url: string, { onFailure, onReady }: Watch): Promise<Redis> {
  const redis = new RedisWithTimeout(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 1000,
    // After a failover the old primary refuses writes; a new connection reaches the new one.
    reconnectOnError: (error) => {
      // The client then sends the script.
      if (error.message.startsWith('NOSCRIPT')) return false;
      onFailure(error);
      return true;
    },
  });
  redis.on('error', onFailure).on('ready', () => redis.probe().then(onReady, () => undefined));
  redis.on('reconnecting', () => onFailure(new Error('the connection was closed')));
  await redis.connect().catch(() => undefined);
  return redis;
}

/**
 * Drops a connection that leaves a command unanswered. ioredis' `commandTimeout` and `socketTimeout` also fire when the reply arrived
 * but this process was too busy to read it.
 */
class RedisWithTimeout extends Redis {
  /** Only probes are sent. */
  #isLate = false;

  /** Resolves when a ready connection may be used. */
  async probe(): Promise<void> {
    const { stream } = this;
    for (let answered = 0; this.#isLate && answered < probes; answered++) {
      await this.ping();
      await sleep(probePauseMs);
      if (this.stream !== stream) throw new Error('the connection was closed');
    }
    this.#isLate = false;
  }

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    const [command] = args;
    if (this.#isLate && this.status === 'ready' && command.name !== 'ping') {
      command.reject(new Error('the answers came too late'));
      return command.promise;
    }
    const sent = super.sendCommand(...args);
    const { stream } = this;
    let isAnswered = false;
    const drop = (): void => {
      if (isAnswered) return;
      this.#isLate = true;
      stream.destroy(new Error(`no answer within ${commandTimeoutMs} ms`));
    };
    // Between timers and immediates, Node reads from its sockets.
    const timer = setTimeout(() => setImmediate(drop), commandTimeoutMs);
    const answered = (): void => {
      isAnswered = true;
      clearTimeout(timer);
    };
    command.promise.then(answered, answered);
    return sent;
  }
}
