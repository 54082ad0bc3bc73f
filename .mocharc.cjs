const { readdirSync } = require('node:fs');

/**
 * The databases on which the tests of a folder or file may have different outcomes. `none` means that the outcome is the same on all of
 * them, or that the tests start their own server. CI runs a test on each of its databases, and with `none` once.
 */
const databases = {
  'auth database operations parity rest telemetry': 'embedded PostgreSQL Citus',
  'faults property rate-limit server': 'embedded PostgreSQL',
  'agents browser cli client conformance contract domain embedded generators helper mcp process sanitizer soak web':
    'none',
  'database/read-only.long database/watch-server.long faults/citus-away.long faults/model faults/run': 'none',
  'faults/boundaries.sampled faults/boundaries-of-changes.long faults/embedded-faults.long': 'embedded',
  'faults/faults.long faults/server-faults.long': 'PostgreSQL',
  'operations/searches.long': 'PostgreSQL Citus',
  'parity/invalid parity/model-mistakes': 'none',
  'cli/move': 'PostgreSQL',
};
const namedIn = (key) => key.split(' ');
const folders = Object.keys(databases).flatMap(namedIn);
const unknown = readdirSync('test').filter((name) => !folders.includes(name) && name !== 'README.md');
if (unknown.length > 0) throw new Error(`.mocharc.cjs does not say on which databases the tests of ${unknown} run`);

// TESTS=short leaves out *.long.test.ts; =long runs only these and *.sampled.test.ts, with all their values; =plain neither; =all runs all.
// PART=1/2 runs half of the files. DATABASE_KIND, such as "PostgreSQL none", runs only the files that have one of its words in `databases`.
// Without these variables, all files run.
const { TESTS, DATABASE_KIND, PART = '1/1' } = process.env;
const [part, parts] = PART.split('/').map(Number);
/** Deals the files out in the order 1, 2, 2, 1: the part that gets the more expensive file of one pair gets the cheaper one of the next. */
const partOf = (at) => (Math.floor(at / parts) % 2 === 0 ? at % parts : parts - 1 - (at % parts)) + 1;
const isLong = (name) => name.endsWith('.long.test.js');
const isSampled = (name) => name.endsWith('.sampled.test.js');
const belongs = {
  short: (name) => !isLong(name),
  long: (name) => isLong(name) || isSampled(name),
  plain: (name) => !isLong(name) && !isSampled(name),
}[TESTS ?? ''];
/** Returns the databases of the file if `databases` names it, otherwise those of its folder. */
function databasesOf(name) {
  const keys = Object.keys(databases);
  const own = keys.find((key) => namedIn(key).includes(name.replace('.test.js', '')));
  return databases[own ?? keys.find((key) => namedIn(key).includes(name.split('/')[0]))];
}
const runsOn = (name) => !DATABASE_KIND || DATABASE_KIND.split(' ').some((kind) => databasesOf(name)?.includes(kind));

/** The files that take the most CPU, in descending order. They are dealt out before all others, so that the parts take equally long. */
const slowest = `
  process/recipes.long browser/double-clicks-matrix.long browser/pages.long contract/made-anew.long process/dev.long contract/one-edit.long web/hostile-forms.sampled web/recipes.long contract/refused-edits.sampled faults/faults.long
  contract/edits.long process/proxies.long generators/generators.long operations/searches.long process/service.long client/package.long
  server/isolation faults/server-faults.long faults/boundaries-of-changes.long faults/embedded-faults.long agents/agents.long
  web/every-route.sampled sanitizer/purify.sampled cli/commands conformance/conformance.long process/settings.long embedded/open
  faults/interleavings.sampled contract/generate.sampled process/move.long faults/boundaries.sampled web/change-job server/places
  contract/breaking.sampled web/admin-review parity/refusals database/migrations sanitizer/hostile-bodies.sampled database/pools`;
const rank = (name) => slowest.indexOf(` ${name.replace('.test.js', '')}`) + 1 || Number.POSITIVE_INFINITY;
const files = readdirSync('dist/test', { recursive: true })
  .filter((name) => name.endsWith('.test.js'))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
const chosen = files.filter((name) => (belongs?.(name) ?? true) && runsOn(name)).filter((_, at) => partOf(at) === part);
module.exports = {
  // So long that even on a busy machine it ends only a test that hangs.
  timeout: 1_200_000,
  'enable-source-maps': true,
  // Sets the seed of everything that is drawn.
  require: ['./dist/test/helper/draws.js'],
  // After a failed hook, the later hooks do not run: servers and connections stay open, and without `exit` Node would wait for them forever.
  exit: true,
  ignore: files.filter((name) => !chosen.includes(name)).map((name) => `dist/test/${name}`),
};
