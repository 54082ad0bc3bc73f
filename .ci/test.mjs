// Runs every check and every test, and prints at the end how many passed. What the database may change runs on each database (.mocharc.cjs),
// the rest once; the runs on a server use another version of Node than the rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const reports = mkdtempSync(join(tmpdir(), 'vaga-reports-'));
const started = performance.now();
const runs = [];
async function run(name, command, env = {}) {
  const REPORT = join(reports, name.replaceAll('/', '-'));
  const from = performance.now();
  const child = spawn(command, { shell: true, stdio: 'inherit', env: { ...process.env, PARTS: '2', ...env, REPORT } });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  console.log(`${name} took ${seconds} s`);
  runs.push({ name, code, REPORT });
}
const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });

const { PATH, OTHER_NODE, DATABASE_URL, CHROMIUM_PATH = '/usr/bin/chromium' } = process.env;
const hasServer = await answers(5432);
const hasCitus = [15, 16, 17, 18].some((major) => existsSync(`/usr/share/postgresql/${major}/extension/citus.control`));
/** The build of the last release, which must serve one database beside this version. */
const released = readFileSync('scripts/released/commit', 'utf8').trim();
const hasReleased = spawnSync('git', ['cat-file', '-e', `${released}^{commit}`]).status === 0;
const PREVIOUS_BUILD = mkdtempSync(join(tmpdir(), 'vaga-released-'));
const missing = Object.entries({
  PostgreSQL: hasServer,
  Citus: hasCitus,
  Chromium: existsSync(CHROMIUM_PATH),
  caddy: existsSync('/usr/bin/caddy'),
  nginx: existsSync('/usr/sbin/nginx'),
  pgbouncer: existsSync('/usr/sbin/pgbouncer'),
  [`the last release, whose commit ${released.slice(0, 7)} is not in this clone`]: hasReleased,
}).flatMap(([name, isHere]) => (isHere ? [] : [name]));
const embedded = { DATABASE_URL: '' };
/** Chromium without windows takes half the CPU. `npm run check` uses the whole browser. */
const shell = '/usr/bin/chromium-headless-shell';
const browser = existsSync(shell) ? { CHROMIUM_PATH: shell } : {};
const otherNode = `${OTHER_NODE}:${PATH}`;
const server = hasServer && {
  PATH: otherNode,
  DATABASE_URL: DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres',
  PREVIOUS_BUILD,
};
/** Two at a time, of two parts each if they are of tests: there may be two cores, and one or the other waits. */
async function runAll(waiting) {
  const inTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(...next);
  };
  await Promise.all([inTurn(), inTurn()]);
}

/** The lock files have the versions: no registry need be asked for news of them. */
const cheaply = '--no-audit --no-fund --prefer-offline';
/** The installation steps that the runs need. */
await runAll([
  ['build', 'node scripts/build.mjs --if-stale'],
  ...(server && hasReleased
    ? [
        [
          'released',
          `git archive ${released} | tar -x -C ${PREVIOUS_BUILD} && cd ${PREVIOUS_BUILD} && npm ci --silent ${cheaply}`,
        ],
      ]
    : []),
  ...['scripts/check', 'scripts/bench', 'test/agents', 'test/conformance', 'test/generators'].map((folder) => [
    folder,
    `npm ci ${cheaply} --prefix ${folder}`,
  ]),
]);
// A build that failed is reported at the end.
const { languages } = await import('../dist/test/generators/languages.js').catch(() => ({ languages: {} }));
for (const [name, { needs }] of Object.entries(languages))
  if (spawnSync('sh', ['-c', `java -version && ${needs}`]).status !== 0)
    missing.push(`${name} or Java, for a generated client`);
// README's own command is in `npm run check`. Every other run is of what its database may change; `none` are the long tests that run once.
// Where all values of the sampled tests are tried on a database, few of them are not tried there again.
await runAll([
  ['check', 'npm run check', embedded],
  [
    'long',
    'npm test',
    { TESTS: 'long', ...browser, ...(server ? { ...server, DATABASE_KIND: 'PostgreSQL none' } : embedded) },
  ],
  ...(server ? [['server', 'npm test', { ...server, TESTS: 'plain', DATABASE_KIND: 'PostgreSQL' }]] : []),
  ...(hasCitus
    ? [['citus', 'npm run test:citus', { ...embedded, PATH: otherNode, TESTS: 'all', DATABASE_KIND: 'Citus' }]]
    : []),
  ...(server ? [['embedded', 'npm test', { ...embedded, TESTS: 'long', DATABASE_KIND: 'embedded' }]] : []),
  ['bench', 'npx tsc -p scripts/bench --noEmit'],
]);

const results = { passed: [], failed: [], skipped: [] };
for (const { name, code, REPORT } of runs) {
  const report = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT)) : { passed: [], failed: [], skipped: [] };
  // A check that fails before its tests reports no failure.
  const failed = code !== 0 && report.failed.length === 0 ? [`exit code ${code}`] : report.failed;
  for (const title of failed) console.log(`FAILED on ${name}: ${title}`);
  results.passed.push(...report.passed);
  results.failed.push(...failed);
  results.skipped.push(...report.skipped);
}
rmSync(PREVIOUS_BUILD, { recursive: true, force: true });
if (missing.length > 0) console.log(`Not here, so what needs it is skipped: ${missing.join('; ')}`);
const skipped = [...new Set(results.skipped)].filter((title) => !results.passed.includes(title));
if (skipped.length > 0) console.log(`Skipped in every run:\n${skipped.join('\n')}`);
console.log(`${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
console.log(
  `${results.passed.length} passed, ${results.failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
);
process.exitCode = results.failed.length > 0 ? 1 : 0;
