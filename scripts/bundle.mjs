// Bundles the programs and their threads from the TypeScript sources: a start reads a few files instead of two thousand.
// node scripts/bundle.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outdir = join(root, 'dist', 'bin');

/** The programs that people run, by their paths below dist. The guides and installed systemd units name these paths. */
const programs = ['src/main', 'src/cli/ops', 'scripts/migrate'];
const threads = ['src/sanitizer/purify', 'src/database/embedded-worker'];

const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
};

/** Options for the programs and threads. All bundles are in one folder, because code looks for the file of its thread beside its own file. */
const own = {
  entryPoints: [...programs, ...threads].map((name) => `${name}.ts`),
  entryNames: '[name]',
  sourcemap: true,
  sourcesContent: false,
};

/** esbuild's options for bundles of our own code only, which load packages from node_modules. */
export const withPackages = { ...common, packages: 'external' };

/** esbuild's options for the programs and threads without their packages. */
export const quickBundle = { ...withPackages, ...own };

const wholeBundle = {
  ...common,
  ...own,
  outdir,
  // CommonJS packages need a `require` for Node's modules, which an ES module lacks.
  banner: { js: "import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url);" },
  // These packages have native code, or load files of their own.
  external: ['@electric-sql/pglite', '@knadh/oat', '@node-rs/argon2', '@prisma/client/runtime/query_*', 'piscina'],
  // The main module of jsonc-parser has requires that esbuild cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [{ name: 'jsdom', setup: leaveOut }],
};

/** Replaces jsdom's modules for styles and requests by stubs. The sanitizer needs neither; they took 50 MB and half of jsdom's loading time. */
function leaveOut({ onLoad, onResolve }) {
  const namespace = 'nothing';
  const modules = /jsdom[/]lib[/](jsdom[/]living[/](css[/]helpers|xhr[/]XML)|generated[/](css-|idl[/]CSSStyleP))/;
  const contents = `const nothing = (module.exports = new Proxy(class {}, {
    get: (target, name) => (name in target ? target[name] : nothing),
    apply: () => nothing,
  }));`;
  onResolve({ filter: /^(undici|tough-cookie|@asamuzakjp[/]dom-selector)$/ }, ({ path }) => ({ path, namespace }));
  onLoad({ filter: /./, namespace }, () => ({ contents }));
  onLoad({ filter: modules }, () => ({ contents }));
}

/** Writes a file at each program's path that imports the program's bundle. */
function linkPrograms() {
  for (const name of programs) {
    const path = join(root, 'dist', `${name}.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import '${relative(dirname(path), join(outdir, basename(path)))}';\n`);
  }
}

async function bundle() {
  rmSync(outdir, { recursive: true, force: true });
  await build(wholeBundle);
  linkPrograms();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
