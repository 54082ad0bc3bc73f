import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../../src/config.ts';
import { withoutSecrets } from '../../src/log.ts';

describe('readConfig', () => {
  it('an empty environment gives the documented defaults', () => {
    const config = readConfig({});
    expect(config).to.include({
      host: '127.0.0.1',
      port: 3000,
      requestsPerMinute: 60,
      timeZone: 'Europe/Lisbon',
      publicUrl: '',
    });
    expect(config.dataDir).to.match(/[\\/]data$/);
  });

  it('a wrong setting is refused in one line that names it', () => {
    const wrong: Record<string, string>[] = [
      { PORT: '65536' },
      { PORT: 'http' },
      { REQUESTS_PER_MINUTE: '0' },
      { IP_REQUESTS_PER_MINUTE: '-1' },
      { SERVICE_TIMEZONE: 'Lisboa' },
      { SERVICE_TIMEZONE: '+01:00' },
      { LOG_LEVEL: 'loud' },
      { PUBLIC_URL: 'api.example.com' },
      { SERVER_NAME: 'vaga' },
      { SERVER_NAME: 'com.example/vaga/more' },
      { SERVER_NAME: '127.0.0.1/vaga' },
      { SERVER_NAME: `com.example/${'x'.repeat(200)}` },
      { DATABASE_URL: 'mysql://root@localhost/x' },
      { DATABASE_URL: 'postgres://localhost/x?statement_timeout=0' },
      { TLS_CERT_FILE: 'cert.pem' },
      { DRAIN_SECONDS: '1.5' },
      { SESSION_SECRET: 'too short' },
    ];
    for (const env of wrong) {
      const [name = ''] = Object.keys(env);
      expect(() => readConfig(env), name).to.throw(ConfigError, name);
    }
  });

  it('a secret may be in a file of its own, with or without a line end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaga-secrets-'));
    try {
      const secrets = {
        DATABASE_URL: 'postgres://vaga:x@db/vaga',
        REDIS_URL: 'redis://:x@cache',
        SESSION_SECRET: 's'.repeat(32),
      };
      for (const end of ['', '\n', '\r\n']) {
        const files = Object.entries(secrets).map(([name, value]) => {
          const file = join(folder, name);
          writeFileSync(file, value + end);
          return [`${name}_FILE`, file];
        });
        const config = readConfig(Object.fromEntries(files));
        expect(config).to.include({
          databaseUrl: secrets.DATABASE_URL,
          redisUrl: secrets.REDIS_URL,
          sessionSecret: secrets.SESSION_SECRET,
        });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a secret in a file is refused like one in a variable, and is not repeated either', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaga-secrets-'));
    try {
      const file = (text: string): string => {
        const path = join(folder, 'secret');
        writeFileSync(path, text);
        return path;
      };
      const refused = (env: Record<string, string>, message: RegExp): void => {
        expect(() => readConfig(env)).to.throw(ConfigError, message);
        expect(() => readConfig(env)).to.throw(/^((?!hunter2).)*$/);
      };
      refused({ DATABASE_URL_FILE: file('mysql://root:hunter2@db/x') }, /^DATABASE_URL must be a postgresql/);
      refused({ SESSION_SECRET_FILE: file('hunter2') }, /^SESSION_SECRET must have at least 32/);
      refused({ SESSION_SECRET_FILE: file('\n') }, /^SESSION_SECRET_FILE must name a file that is not empty/);
      refused({ REDIS_URL_FILE: join(folder, 'nothing') }, /^REDIS_URL_FILE cannot be read: ENOENT/);
      refused({ REDIS_URL_FILE: folder }, /^REDIS_URL_FILE cannot be read: EISDIR/);
      const both = { SESSION_SECRET: 'hunter2'.repeat(9), SESSION_SECRET_FILE: file('x') };
      refused(both, /^SESSION_SECRET_FILE must not be set when SESSION_SECRET is/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a refused DATABASE_URL is not repeated: it may hold a password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:secret@localhost/x' })).to.throw(/^((?!secret).)*$/);
  });
});

describe('withoutSecrets', () => {
  it('removes credentials from text', () => {
    expect(withoutSecrets('GET /v1/jobs/vaga_live_1_abc?x vaga_test_9zZ')).to.equal(
      'GET /v1/jobs/vaga_live_[removed]?x vaga_test_[removed]',
    );
  });
});
