import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type Config, ConfigError, contentOf } from '../config.ts';
import { dayMs } from '../domain/dates.ts';
import type { Log } from '../log.ts';

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the certificate and its key. Throws a ConfigError naming the setting if a file cannot be read or used. */
export function readTlsFiles({ certFile, keyFile }: NonNullable<Config['tls']>): TlsFiles {
  const cert = contentOf('TLS_CERT_FILE', certFile);
  const key = contentOf('TLS_KEY_FILE', keyFile);
  check('TLS_CERT_FILE must name a certificate in PEM', { cert });
  check('TLS_KEY_FILE must name a private key in PEM without a passphrase', { key });
  check('TLS_KEY_FILE must name the key of the certificate in TLS_CERT_FILE', { cert, key });
  return { cert, key };
}

/** A certificate that ends within this many days needs renewal. */
export const renewalDays = 14;

export const endOf = ({ cert }: TlsFiles): Date => new Date(new X509Certificate(cert).validTo);

/** Logs that the certificate has ended or will soon. */
export function warnOfEnd(files: TlsFiles, log: Log): void {
  const endsAt = endOf(files);
  const days = (endsAt.getTime() - Date.now()) / dayMs;
  if (days < renewalDays)
    log.warn({ endsAt }, days < 0 ? 'the certificate has expired' : 'the certificate expires soon');
}

function check(rule: string, files: Partial<TlsFiles>): void {
  try {
    createSecureContext(files);
  } catch (error) {
    throw new ConfigError(`${rule}: ${(error as Error).message}`);
  }
}
