const { readdirSync } = require('node:fs');

/**
 * The databases on which a folder's tests run besides PostgreSQL: all whose outcome may differ. A file *.quiet.test.ts needs a quiet
 * machine. DATABASE_KIND=embedded or =Citus runs the tests for that kind only. QUIET=no leaves out the quiet tests, QUIET=only runs nothing
 * else. PART=1/3 runs every third file.
 */
const folders = {
  'auth database operations parity rest telemetry': 'embedded Citus',
  'property rate-limit': 'embedded',
  'agents browser cli client conformance contract domain embedded faults generators helper mcp process sanitizer server soak web':
    '',
};
const names = Object.keys(folders).join(' ').split(' ');
const unknown = readdirSync('test').filter((name) => !names.includes(name) && name !== 'README.md');
if (unknown.length > 0) throw new Error(`.mocharc.cjs does not say on which databases the tests of ${unknown} run`);

const { DATABASE_KIND = '', QUIET, PART = '1/1' } = process.env;
const [part, parts] = PART.split('/').map(Number);
const ofAnotherPart = (_, at) => at % parts !== part - 1;
/** Distributed first, so that the parts take equally long. */
const slowest = `
  contract/one-edit contract/edits.property web/hostile-forms browser/pages faults/embedded-faults process/service generators/generators agents/agents
  conformance/conformance process/recipes faults/interleavings
  faults/server-faults faults/boundaries process/backup browser/docs faults/boundaries-of-changes`;
const rank = (name) => slowest.indexOf(` ${name.replace('.test.js', '')}`) + 1 || Number.POSITIVE_INFINITY;
const files =
  parts > 1
    ? readdirSync('dist/test', { recursive: true })
        .filter((name) => name.endsWith('.test.js'))
        .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    : [];
const others = Object.keys(folders).filter((key) => !folders[key].includes(DATABASE_KIND));
module.exports = {
  // For every test: it only ends one that hangs, even on a busy machine.
  timeout: 300_000,
  'enable-source-maps': true,
  // A failed hook leaves the ones after it undone, and with them servers and connections, for which Node would wait forever.
  exit: true,
  ignore: [
    ...others.flatMap((key) => key.split(' ')).map((name) => `dist/test/${name}/**`),
    ...(QUIET === 'no' ? ['dist/test/**/*.quiet.test.js'] : []),
    ...(QUIET === 'only' ? ['dist/test/**/!(*.quiet).test.js'] : []),
    ...files.filter(ofAnotherPart).map((name) => `dist/test/${name}`),
  ],
};
