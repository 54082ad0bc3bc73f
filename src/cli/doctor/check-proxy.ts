import type { Config } from '../../config.ts';
import { type Finding, fine, wrong } from './finding.ts';

const timeoutMs = 2000;
const needed = ['x-forwarded-for', 'x-forwarded-proto'];

/** The headers that proxies have set since the service's start, as its metrics count them. */
export async function checkProxyHeaders({ metrics, trustProxy }: Config): Promise<Finding[]> {
  if (trustProxy.length === 0) return [];
  const check = 'proxy headers';
  if (!metrics) return [fine(check, 'not known, because METRICS_PORT is not set')];
  const text = await metricsAt(metrics);
  if (text === undefined) return [fine(check, 'not known, because no service answers on METRICS_PORT')];
  const trusted = seen(text, true);
  const others = seen(text, false);
  if (trusted.length === 0 && others.length > 0) {
    const found = `${others.join(', ')} from addresses that TRUST_PROXY does not name`;
    return [wrong(check, found, 'name the address of the proxy in TRUST_PROXY')];
  }
  if (trusted.length === 0) return [fine(check, 'none since the start of the service')];
  const missing = needed.filter((name) => !trusted.includes(name));
  if (missing.length === 0) return [fine(check, `${trusted.join(', ')} from trusted proxies`)];
  return [
    wrong(check, `only ${trusted.join(', ')} from trusted proxies`, `let the proxy set ${missing.join(' and ')}`),
  ];
}

async function metricsAt({ host, port }: NonNullable<Config['metrics']>): Promise<string | undefined> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).text();
  } catch {
    return undefined;
  }
}

const seen = (text: string, trusted: boolean): string[] =>
  [...text.matchAll(/^vaga_proxy_headers_total\{header="([^"]+)",trusted="(\w+)"\}/gm)].flatMap(([, header, by]) =>
    header !== undefined && by === String(trusted) ? [header] : [],
  );
