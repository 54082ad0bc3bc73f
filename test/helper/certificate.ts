import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ownFolder } from './own-folder.ts';

/** Writes a self-signed certificate and its key into a folder. It expires after `days`; a negative number means before today. */
export function makeCertificate(
  folder: string,
  host = 'localhost',
  name = 'cert',
  days = 1,
): { certificate: string; key: string } {
  const [key, certificate] = [join(folder, `${name}-key.pem`), join(folder, `${name}.pem`)];
  const subject = ['-subj', `/CN=${host}`, '-keyout', key, '-out', certificate];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject],
    { stdio: 'ignore' },
  );
  const again = ['x509', '-in', certificate, '-signkey', key, '-days', String(days), '-out', certificate];
  execFileSync('openssl', again, { stdio: 'ignore' });
  return { certificate, key };
}

/** The settings of a service with TLS of its own. */
export function tlsSettings(): Record<string, string> {
  const { certificate, key } = makeCertificate(ownFolder());
  return { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key };
}
