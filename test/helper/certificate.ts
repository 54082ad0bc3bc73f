import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Writes a self-signed certificate and its key into a folder. */
export function makeCertificate(
  folder: string,
  host = 'localhost',
  name = 'cert',
  days = 1,
): { certificate: string; key: string } {
  const [key, certificate] = [join(folder, `${name}-key.pem`), join(folder, `${name}.pem`)];
  const subject = ['-subj', `/CN=${host}`, '-days', String(days), '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' });
  return { certificate, key };
}
