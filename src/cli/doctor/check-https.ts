import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Config, ConfigError } from '../../config.ts';
import { firstLine } from '../../database/database-errors.ts';
import { dayMs } from '../../domain/dates.ts';
import { readTlsFiles, renewalDays } from '../../server/tls-files.ts';
import { type Finding, fine, orFine, wrong } from './finding.ts';

const timeoutMs = 5000;

/** Checks the certificate that the service itself serves. Returns nothing if TLS is left to a proxy. */
export function checkCertificate({ tls, publicUrl }: Config): Finding[] {
  if (!tls) return [];
  const check = 'certificate';
  try {
    const certificate = new X509Certificate(readTlsFiles(tls).cert);
    const days = daysUntil(certificate.validTo);
    const host = publicUrl === '' ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
    return orFine(
      [
        Date.parse(certificate.validFrom) > Date.now() &&
          wrong(check, `it is valid only from ${certificate.validFrom}`, 'correct the clock or the certificate'),
        days < 0 &&
          wrong(check, `it expired on ${certificate.validTo}`, 'renew the certificate and restart the service'),
        days >= 0 &&
          days < renewalDays &&
          wrong(check, `it expires in ${days} days`, 'renew the certificate and restart the service'),
        host !== undefined &&
          !covers(certificate, host) &&
          wrong(check, `it is not for ${host}`, 'use a certificate for the host of PUBLIC_URL'),
      ],
      check,
      `matches its key, ${days} days left`,
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [wrong(check, error.message, 'correct TLS_CERT_FILE and TLS_KEY_FILE; the service does not start')];
  }
}

const daysUntil = (time: string): number => Math.floor((Date.parse(time) - Date.now()) / dayMs);

const covers = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;

/**
 * Calls the service without a credential. A 401 shows that the request arrived as https, and so does a 503 for maintenance, which is a finding
 * of its own.
 */
export async function checkPublicAddress({ publicUrl, tls }: Config): Promise<Finding[]> {
  if (publicUrl === '') return [];
  const check = 'public address';
  const url = `${publicUrl}/v1/account`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: 'manual', signal });
    const { status, headers } = response;
    if (headers.get('x-api-environment') !== 'production')
      return [wrong(check, `${url} answered ${status}, but not from this service`, 'correct the proxy or PUBLIC_URL')];
    const reason = await reasonOf(response);
    if (status === 401 || reason === 'maintenance')
      return [
        fine(check, `${publicUrl} reaches the service, which sees https`),
        ...(tls ? [] : await checkProxyCertificate(new URL(publicUrl))),
      ];
    if (status !== 400)
      return [
        wrong(
          check,
          `${url} answered ${status} (${reason}) without a credential, not 401`,
          'see the log of the service',
        ),
      ];
    const fix = 'let the proxy set X-Forwarded-For and X-Forwarded-Proto: https, and name its address in TRUST_PROXY';
    return [wrong(check, 'the service takes requests through the proxy for plain http and refuses them', fix)];
  } catch (error) {
    const reason = firstLine(error instanceof Error && error.cause ? error.cause : error);
    return [
      wrong(
        check,
        `${url} cannot be reached from here: ${reason}`,
        'start the service and its proxy, or correct PUBLIC_URL',
      ),
    ];
  }
}

/** Returns why the service refused the request. */
async function reasonOf(response: Response): Promise<string> {
  const { error }: { error?: { details?: { reason?: string } } } = await response.json().catch(() => ({}));
  return error?.details?.reason ?? 'no reason';
}

/** Checks when the proxy's certificate expires. Trust needs no check, because the https request before has succeeded. */
async function checkProxyCertificate({ protocol, hostname, port }: URL): Promise<Finding[]> {
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) });
  const check = 'certificate of the proxy';
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    const days = daysUntil(socket.getPeerCertificate().valid_to);
    return days < renewalDays
      ? [wrong(check, `it expires in ${days} days`, 'renew it')]
      : [fine(check, `${days} days left`)];
  } finally {
    socket.destroy();
  }
}
