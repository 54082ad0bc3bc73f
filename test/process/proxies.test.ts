import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { requestBytesMax } from '../../src/server/json-body.ts';
import { longestFormBytes } from '../helper/longest-form.ts';

const sample = (name: string): string => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8');

/** The bytes of `256k` or `4m`. */
function bytesOf(size = ''): number {
  const [, count, unit = ''] = /^(\d+)([km])$/.exec(size) ?? [];
  return Number(count) * (unit === 'm' ? 1024 ** 2 : 1024);
}

describe('every body that the service reads passes', () => {
  it('nginx, which refuses much longer ones itself', () => {
    const config = sample('nginx.conf');
    const sizeIn = (text: string) => bytesOf(/client_max_body_size (\w+);/.exec(text)?.[1]);
    const [, api = ''] = /location ~ \S+v1\S+ \{(.*?)\n {4}\}/s.exec(config) ?? [];
    expect(sizeIn(api), 'the API').to.be.within(requestBytesMax + 1, 2 * requestBytesMax);
    const pages = config.replace(api, '');
    expect(pages.match(/client_max_body_size/g), 'one size for all pages').to.have.length(1);
    expect(sizeIn(pages), 'pages').to.be.within(longestFormBytes + 1, 2 * longestFormBytes);
  });

  it('Caddy, which has no limit', () => {
    expect(sample('Caddyfile')).not.to.include('request_body');
  });
});
