// node scripts/take-pictures.mjs: takes README's pictures, of a demo company with some jobs on a service of its own. Needs Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'scripts', 'pictures');
const bytesMax = 150 * 1024;
const titles = ['Eletricista', 'Canalizador', 'Programadora TypeScript', 'Enfermeiro', 'Cozinheira', 'Motorista'];

build(true);
const env = { ...process.env, DATA_DIR: mkdtempSync(join(tmpdir(), 'vaga-pictures-')), DATABASE_URL: '', PORT: '0' };
const ops = (...args) => execFileSync(process.execPath, ['dist/src/cli/ops.js', ...args], { cwd: root, env });
const service = spawn(process.execPath, ['dist/src/main.js'], { cwd: root, env });
let output = '';
await new Promise((resolve, reject) => {
  service.on('exit', () => reject(new Error(output)));
  service.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('API reference:')) resolve();
  });
});
const printed = (pattern) => pattern.exec(output)?.[1] ?? '';
const address = printed(/^export API=(\S+)\/sandbox/m);

async function api(method, path, token, body) {
  const key = createHash('sha256')
    .update(JSON.stringify(body ?? ''))
    .digest('hex');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
  const response = await fetch(address + path, { method, headers, body: body && JSON.stringify(body) });
  return method === 'DELETE' ? undefined : (await response.json()).data;
}

/** Jobs in every status, and a refused request. */
async function fill() {
  const offer = {
    body: 'Procuramos uma pessoa para o Porto.',
    contact_instructions: 'CV por email.',
    category_id: 303,
  };
  for (const [base, token] of [
    ['/v1', printed(/production {2}(\S+)/)],
    ['/sandbox/v1', printed(/sandbox {5}(\S+)/)],
  ]) {
    const create = (title) => ({ ...offer, title, district_id: 13, application_method: 'system' });
    const ids = [];
    for (const title of titles) ids.push((await api('POST', `${base}/jobs`, token, create(title))).id);
    for (const id of ids) await api('GET', `${base}/jobs/${id}`, token);
    await api('PATCH', `${base}/jobs/${ids[0]}`, token, { salary_max: -1 });
    await api('DELETE', `${base}/jobs/${ids[5]}`, token);
    if (base !== '/v1') continue;
    for (const id of ids.slice(0, 3)) ops('job', 'approve', '--id', String(id));
    ops('job', 'deny', '--id', String(ids[3]), '--reason', 'Falta o local de trabalho.');
  }
}

async function take(page, name) {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.activeElement?.blur()');
  const path = join(pictures, `${name}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality: 70 });
  const { size } = statSync(path);
  console.log(`${path}: ${size} bytes`);
  if (size > bytesMax) throw new Error(`${name}.jpg has more than ${bytesMax} bytes`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  await fill();
  mkdirSync(pictures, { recursive: true });
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  await page.goto(`${address}/dashboard`);
  await page.locator('[name=email]').fill('main@example.com');
  await page.locator('[name=password]').fill(printed(/main@example.com {3}(\S+)/));
  await page.locator('[name=password]').press('Enter');
  await page.waitForURL(`${address}/dashboard`);
  await take(page, 'dashboard');
  await page.goto(`${address}/docs#tag/jobs/createJob`);
  await take(page, 'reference');
} finally {
  await browser.close();
  service.kill();
  rmSync(env.DATA_DIR, { recursive: true, force: true });
}
