// The arrows of src/: each layer may import what stands below it, never the reverse, and adapters never each other.
const layer = (name, comment, from, to) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    layer('domain-is-pure', 'rules know no other layer', '^src/domain', '^src/(?!domain)'),
    layer('contract-is-low', 'the contract knows the domain only', '^src/contract', '^src/(?!contract|domain)'),
    layer('store-is-low', 'the store knows the domain only', '^src/store', '^src/(?!store|domain)'),
    layer('html-is-low', 'the sanitizer knows the domain only', '^src/html', '^src/(?!html|domain)'),
    layer(
      'operations-know-no-protocol',
      '',
      '^src/(operations|posting|actions)',
      '^src/(rest|mcp|web|ops|http|gate|dispatch|app|main)',
    ),
    layer(
      'gate-knows-no-operation',
      '',
      '^src/gate',
      '^src/(rest|mcp|web|ops|http|operations|posting|actions|dispatch|app|main)',
    ),
    layer('dispatch-knows-no-protocol', '', '^src/dispatch', '^src/(rest|mcp|web|ops|http|actions|gate|app|main)'),
    layer('adapters-never-reach-the-store', '', '^src/(rest|mcp|web)', '^src/store'),
    {
      name: 'adapters-never-import-each-other',
      severity: 'error',
      from: { path: '^src/(rest|mcp|web|ops)/' },
      to: { path: '^src/(rest|mcp|web|ops)/', pathNot: '^src/$1/' },
    },
    {
      name: 'client-needs-one-package',
      severity: 'error',
      from: { path: '^src/client' },
      to: { pathNot: '^(src/client/|generated/openapi[.]ts$|node_modules/openapi-fetch/)' },
    },
    {
      name: 'server-knows-no-client',
      severity: 'error',
      from: { path: '^src/(?!client/)' },
      to: { path: '^src/client/' },
    },
    {
      name: 'benches-are-apart',
      severity: 'error',
      comment: 'scripts/bench is a package of its own: the service and its tests need it for nothing',
      from: { path: '^(src|test|scripts)/', pathNot: '^scripts/bench/' },
      to: { path: '^scripts/bench/' },
    },
    {
      name: 'only-the-store-knows-prisma',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/store' },
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
