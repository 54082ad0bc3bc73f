import type { IncomingMessage } from 'node:http';

/** Headers that proxies set. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip'];

export interface ProxyHeaderCount {
  readonly header: string;
  /** Whether a trusted proxy sent it. Others are never used. */
  readonly trusted: boolean;
  readonly requests: number;
}

/** Whether the request has a sign of a proxy. */
export const isForwarded = ({ headers }: IncomingMessage): boolean =>
  proxyHeaders.some((name) => headers[name] !== undefined);

/** Counts the headers of proxies since the start of the process, for the operator. */
export class ProxyHeaderCounts {
  readonly #counts = new Map([true, false].map((trusted) => [trusted, new Map<string, number>()]));

  add({ headers }: IncomingMessage, trusted: boolean): void {
    const counts = this.#counts.get(trusted);
    for (const name of proxyHeaders) if (headers[name] !== undefined) counts?.set(name, (counts.get(name) ?? 0) + 1);
  }

  all(): ProxyHeaderCount[] {
    return [...this.#counts].flatMap(([trusted, counts]) =>
      [...counts].map(([header, requests]) => ({ header, trusted, requests })),
    );
  }
}
