// The container's HEALTHCHECK: exits with 0 if the process answers. It does not use /readyz, because a restart does not repair a database.
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

const { PORT = '3000', TLS_CERT_FILE } = process.env;
const options = { host: '127.0.0.1', port: PORT, path: '/healthz', timeout: 4000, rejectUnauthorized: false };
const request = (TLS_CERT_FILE ? getSecurely : get)(options, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1)).on('error', () => process.exit(1));
