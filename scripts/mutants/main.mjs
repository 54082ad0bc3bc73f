// npm run mutants -- FOLDER [...]: changes the compiled code of folders in small ways (`<` for `<=`, a condition left out) and names each
// change that no test of the folder notices. FOLDER/FILE changes one file. `domain` and `contract` take a minute, the others ten or more, on
// the PostgreSQL of DATABASE_URL or of 127.0.0.1:5432.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tests to which a developer of a folder looks. */
const folders = {
  domain: 'domain/**',
  'operations/jobs': 'operations/job* operations/rules-in-sql* parity/idempotency* rest/list-jobs* rest/job-events*',
  'rate-limit': 'rate-limit/**',
  auth: 'auth/** rest/authentication* web/sign-in* web/sessions*',
  sanitizer: 'sanitizer/**',
  contract: 'contract/field-errors* contract/document* contract/messages*',
  client: 'client/**',
};

const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres' } = process.env;

const folderOf = (given) => Object.keys(folders).find((folder) => given === folder || given.startsWith(`${folder}/`));

function mutate(given) {
  const folder = folderOf(given);
  const reports = mkdtempSync(join('node_modules', '.mutants-'));
  const fileName = join(reports, 'report.json');
  const config = {
    // audit-actions is a list of names.
    mutate: [`dist/src/${given === folder ? `${folder}/**/*` : given}.js`, '!dist/src/domain/audit-actions.js'],
    testRunner: 'mocha',
    plugins: [join(import.meta.dirname, 'node_modules/@stryker-mutator/mocha-runner/dist/src/index.js')],
    mochaOptions: {
      spec: folders[folder].split(' ').map((tests) => `dist/test/${tests}.test.js`),
      'no-config': true,
      'no-package': true,
    },
    coverageAnalysis: 'perTest',
    // A value that is made once, when its module is loaded, would need a new process for each change.
    ignoreStatic: true,
    ignorePatterns: ['data', 'dist/embedded', '**/*.js.map'],
    concurrency: 2,
    timeoutMS: 20_000,
    tempDirName: 'node_modules/.stryker',
    reporters: ['json', 'progress'],
    jsonReporter: { fileName },
    allowEmpty: false,
  };
  const file = join(reports, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const { status } = spawnSync('stryker', ['run', file], { stdio: 'inherit', env: { ...process.env, DATABASE_URL } });
  if (status !== 0) process.exit(status ?? 1);
  const { files } = JSON.parse(readFileSync(fileName, 'utf8'));
  rmSync(reports, { recursive: true });
  return files;
}

/** What no test noticed, at its place in the compiled code, and how much was noticed. */
function report(folder, files) {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, line: source.split('\n')[mutant.location.start.line - 1].trim() })),
  );
  const tried = all.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status));
  const survivors = tried.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { file, location, line, mutatorName, replacement, status } of survivors)
    console.log(
      `${file}:${location.start.line}  ${status} ${mutatorName}  ${line.slice(0, 160)}  ->  ${replacement?.slice(0, 80)}`,
    );
  const noticed = tried.length - survivors.length;
  console.log(`| ${folder} | ${tried.length} | ${noticed} | ${((noticed / tried.length) * 100).toFixed(0)} % |`);
}

const given = process.argv.slice(2);
const unknown = given.find((one) => !folderOf(one));
if (unknown) throw new Error(`no such folder: ${unknown}; there are ${Object.keys(folders).join(', ')}`);
for (const folder of given.length > 0 ? given : Object.keys(folders)) report(folder, mutate(folder));
