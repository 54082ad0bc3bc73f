// Allowed imports within src/, from top to bottom. Each folder or file of src lists what it may import; other imports are refused.
const mayImport = {
  main: ['serve', 'config', 'database', 'sanitizer', 'server'],
  serve: [
    'app',
    'auth/session-secrets-sql',
    'config',
    'contract',
    'database',
    'demo',
    'log',
    'rate-limit',
    'sanitizer',
    'server',
  ],
  demo: ['context', 'database', 'domain', 'operations', 'web'],
  app: [
    'auth',
    'config',
    'database',
    'domain',
    'log',
    'mcp',
    'operations/reference/reference-sql',
    'rate-limit',
    'rest',
    'sanitizer',
    'server',
    'telemetry',
    'web',
  ],
  rest: ['auth', 'contract', 'dispatch', 'domain', 'server'],
  mcp: ['auth', 'context', 'contract', 'dispatch', 'domain', 'server'],
  web: [
    'auth',
    'context',
    'contract',
    'domain',
    'log',
    'operations',
    'rate-limit',
    'server',
    'telemetry/logged-request',
    'generated',
  ],
  cli: [
    'config',
    'context',
    'database',
    'domain',
    'log',
    'mcp/discovery',
    'operations',
    'server/tls-files',
    'telemetry/logged-request',
  ],
  server: ['auth', 'config', 'context', 'contract', 'database', 'domain', 'log', 'rate-limit', 'telemetry'],
  dispatch: ['context', 'contract', 'domain', 'operations'],
  operations: [
    'auth',
    'context',
    'contract',
    'database',
    'domain',
    'generated',
    'rate-limit',
    'telemetry/logged-request',
  ],
  context: ['contract', 'database', 'domain', 'rate-limit', 'sanitizer'],
  auth: ['database', 'domain', 'generated', 'log', 'rate-limit'],
  telemetry: ['database', 'domain', 'generated', 'log'],
  'rate-limit': ['database', 'domain', 'log'],
  sanitizer: ['domain'],
  contract: ['domain', 'generated'],
  config: ['database', 'domain'],
  database: ['domain', 'generated'],
  log: ['domain'],
  domain: ['generated'],
  client: ['generated', 'domain/job-version'],
};

/** A pattern for a folder of src with its contents, or for one file. */
const paths = (name) => (name === 'generated' ? '^generated/' : `^src/${name}(/|[.]tsx?$)`);
const alternatives = (names) => names.map(paths).join('|');

const layers = Object.entries(mayImport).map(([name, below]) => ({
  name: `${name}-imports-only-what-is-below`,
  severity: 'error',
  from: { path: paths(name) },
  to: { path: '^(src|generated|test|scripts)/', pathNot: alternatives([name, ...below]) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...layers,
    {
      name: 'every-folder-has-a-rule',
      severity: 'error',
      comment: 'a new folder or file of src needs its line in mayImport',
      from: { path: '^src/', pathNot: alternatives(Object.keys(mayImport)) },
      to: {},
    },
    {
      name: 'adapters-never-reach-the-database',
      severity: 'error',
      from: { path: '^src/(rest|mcp|web)/' },
      to: { path: '^src/database/|-sql[.]ts$' },
    },
    {
      name: 'protocols-reach-only-the-contract',
      severity: 'error',
      comment: 'api/ holds the operations of the contract, people/ those of pages and commands',
      from: { path: '^src/(rest|mcp|dispatch|operations/table|operations/[^/]+/api)(/|[.]ts$)' },
      to: { path: '^src/operations/([^/]+/people/|declare[.]ts|declarations[.]ts|fields[.]ts|recorded[.]ts)' },
    },
    {
      name: 'only-database-knows-citus',
      severity: 'error',
      comment: 'all else knows connectionsFor(companyId) and nodes()',
      from: { path: '^src/', pathNot: '^src/database/' },
      to: { path: '^src/database/citus/' },
    },
    {
      name: 'client-needs-one-package',
      severity: 'error',
      from: { path: '^src/client/' },
      to: {
        pathNot:
          '^(src/client/|src/domain/job-version[.]ts$|generated/(client|openapi)[.]ts$|node_modules/openapi-fetch/)',
      },
    },
    {
      name: 'benches-are-apart',
      severity: 'error',
      comment: 'scripts/bench is a package of its own: the service and its tests need it for nothing',
      from: { path: '^(src|test|scripts)/', pathNot: '^scripts/bench/' },
      to: { path: '^scripts/bench/' },
    },
    {
      name: 'only-database-and-sql-files-know-prisma',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/database/|-sql[.]ts$' },
      to: { path: 'generated/prisma|@prisma/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|generated' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
