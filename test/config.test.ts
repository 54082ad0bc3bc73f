import { expect } from 'chai';
import { ConfigError, readConfig } from '../src/config.ts';
import { withoutSecrets } from '../src/log.ts';

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
