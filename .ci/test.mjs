// Runs every check and every test, and prints at the end how many passed, by mocha's own reports. The runs on a server use another version
// of Node than the rest. .mocharc.cjs says which tests run on which database, and which run only after all others.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const reports = mkdtempSync(join(tmpdir(), 'vaga-reports-'));
const runs = [];
async function run(name, command, env, QUIET = 'no', isRepeated = false) {
  const MOCHA_OPTIONS = `--reporter json --reporter-option output=${join(reports, name)}`;
  const child = spawn(command, {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, ...env, QUIET, MOCHA_OPTIONS },
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  // A signal ended Node itself: say so and run once more. Node 24 sometimes aborts when PGlite is opened and closed (nodejs/node#64500).
  if (code > 128 && !isRepeated) {
    console.log(`${name} was ended by signal ${code - 128} and is run again`);
    return run(name, command, env, QUIET, true);
  }
  runs.push({ name, code });
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
const server = hasServer && {
  PATH: `${OTHER_NODE}:${PATH}`,
  DATABASE_URL: DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres',
  PREVIOUS_BUILD,
};
const embedded = { DATABASE_URL: '', DATABASE_KIND: server ? 'embedded' : '' };
/** Three at a time: on two cores, one works while another waits. */
async function runAll(waiting) {
  const inTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(...next);
  };
  await Promise.all([inTurn(), inTurn(), inTurn()]);
}

/** The installation steps that the runs need. */
const installed = [
  ['build', 'node scripts/build.mjs --if-stale', {}],
  ...(server && hasReleased
    ? [
        [
          'released',
          `git archive ${released} | tar -x -C ${PREVIOUS_BUILD} && cd ${PREVIOUS_BUILD} && npm ci --silent`,
          {},
        ],
      ]
    : []),
  ...['scripts/check', 'scripts/bench', 'test/agents', 'test/conformance', 'test/generators'].map((folder) => [
    folder,
    `npm ci --prefix ${folder}`,
    {},
  ]),
];
await runAll(installed);
// The longest first.
await runAll([
  ...(hasCitus ? [['citus', 'npm run test:citus', { ...embedded, DATABASE_KIND: 'Citus' }]] : []),
  ...(server ? ['1/3', '2/3', '3/3'] : []).map((PART) => [`server-${PART[0]}`, 'npm test', { ...server, PART }]),
  ['embedded', 'npm run check', embedded],
  ['bench', 'npx tsc -p scripts/bench --noEmit', {}],
]);
await run('quiet', 'npm test', server || embedded, 'only');

const passed = [];
const pending = [];
let failed = 0;
for (const { name, code } of runs) {
  const file = join(reports, name);
  const report = existsSync(file) ? JSON.parse(readFileSync(file)) : { passes: [], pending: [], failures: [] };
  passed.push(...report.passes.map(({ fullTitle }) => fullTitle));
  pending.push(...report.pending.map(({ fullTitle }) => fullTitle));
  // A check that fails before its tests, or a runner that dies, reports no failure.
  const failures =
    code !== 0 && report.failures.length === 0
      ? [{ fullTitle: name, err: { message: `exit code ${code}` } }]
      : report.failures;
  for (const { fullTitle, err } of failures) console.log(`FAILED on ${name}: ${fullTitle}: ${err.message}`);
  failed += failures.length;
}
rmSync(PREVIOUS_BUILD, { recursive: true, force: true });
if (missing.length > 0) console.log(`Not here, so what needs it is skipped: ${missing.join('; ')}`);
const skipped = [...new Set(pending)].filter((title) => !passed.includes(title));
if (skipped.length > 0) console.log(`Skipped in every run:\n${skipped.join('\n')}`);
console.log(`${passed.length} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
