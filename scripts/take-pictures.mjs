// node scripts/take-pictures.mjs: starts a service with some jobs of a demo company, and takes README's pictures of it. Needs Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const titles = ['Eletricista', 'Canalizador', 'Programadora TypeScript', 'Enfermeiro', 'Cozinheira', 'Motorista'];
const offer = {
  ...{ body: 'Procuramos uma pessoa para o Porto.', contact_instructions: 'CV por email.' },
  ...{ category_id: 303, district_id: 13, application_method: 'system' },
};

await build(true);
const { createClient } = await import('../dist/client/src/client/index.js');
const env = { ...process.env, DATA_DIR: mkdtempSync(join(tmpdir(), 'vaga-pictures-')), DATABASE_URL: '', PORT: '0' };
const ops = (...args) => execFileSync(process.execPath, ['dist/src/cli/ops.js', ...args], { cwd: root, env });
const service = spawn(process.execPath, ['dist/src/main.js'], { cwd: root, env });
let output = '';
await new Promise((resolve) =>
  service.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('API reference:')) resolve();
  }),
);
const printed = (pattern) => pattern.exec(output)?.[1] ?? '';
const address = printed(/^export API=(\S+)\/sandbox/m);

/** Creates a job for each title, withdraws the last one, and sends a request that is refused. Returns the jobs' ids. */
async function fill(token) {
  const client = createClient({ baseUrl: address, token });
  const ids = [];
  for (const title of titles) ids.push((await client.createJob({ ...offer, title })).id);
  for (const id of ids) await client.getJob(id);
  await client.updateJob(ids[0], { salary_max: -1 }).catch(() => undefined);
  await client.withdrawJob(ids[5]);
  return ids;
}

async function take(page, file) {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.activeElement?.blur()');
  await page.screenshot({ path: join(root, file), type: 'jpeg', quality: 70 });
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const ids = await fill(printed(/production {2}(\S+)/));
  for (const id of ids.slice(0, 3)) ops('job', 'approve', '--id', String(id));
  ops('job', 'deny', '--id', String(ids[3]), '--reason', 'Falta o local de trabalho.');
  await fill(printed(/sandbox {5}(\S+)/));
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  await page.goto(`${address}/dashboard`);
  await page.locator('[name=email]').fill('main@example.com');
  await page.locator('[name=password]').fill(printed(/main@example.com {3}(\S+)/));
  await page.locator('[name=password]').press('Enter');
  await page.waitForURL(`${address}/dashboard`);
  await take(page, 'scripts/pictures/dashboard.jpg');
  await page.goto(`${address}/docs/try#tag/jobs/createJob`);
  await take(page, 'scripts/pictures/reference.jpg');
} finally {
  await browser.close();
  service.kill();
  rmSync(env.DATA_DIR, { recursive: true, force: true });
}
