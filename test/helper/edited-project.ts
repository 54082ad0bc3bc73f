import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';

const run = promisify(execFile);
export const linters = join(root, 'scripts', 'check', 'node_modules');

const left = new Set(['node_modules', 'data', '.git']);
/** False for what a script that runs in the original meanwhile may remove or rename: see scripts/run.mjs. */
export const isAtRest = (path: string): boolean => !/[/]dist[/]run[/](?:cache\b|.*[.]\d+$)/.test(path);
const isOwn = (path: string) => !path.includes('node_modules') && isAtRest(path);
const testFolders = ['test', join('dist', 'test')];

/** A copy of this project in which a test edits the contract, as a developer would. Has the last build, so that it builds only the edits. */
export class EditedProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Copies this project. Without its tests, their folders are empty, so that copying and compiling it takes less. */
  static async copy(folder: string, { withTests }: { readonly withTests: boolean }): Promise<EditedProject> {
    await mkdir(folder);
    const tests = withTests ? [] : testFolders.map((name) => join(root, name));
    const filter = (path: string) => isOwn(path) && !tests.includes(path);
    for (const name of await readdir(root))
      if (!left.has(name))
        await cp(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true, filter });
    for (const name of testFolders) await mkdir(join(folder, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    if (existsSync(linters)) await symlink(linters, join(folder, 'scripts', 'check', 'node_modules'));
    return new EditedProject(folder);
  }

  path = (...names: string[]): string => join(this.folder, ...names);

  node = (...args: string[]) => run(process.execPath, args, { cwd: this.folder });

  build = () => this.node('scripts/build.mjs', '--if-stale');

  /** The compiler's errors for the project; empty if it compiles. */
  mistakes = (): Promise<string> =>
    this.build().then(
      () => '',
      (error) => String(error.stdout).trim(),
    );

  git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: this.folder });

  /** Commits everything, to a new repository if there is none. */
  async commit(): Promise<void> {
    await this.git('init', '--quiet');
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--message', 'All');
  }

  /** Runs a script. The error of one that fails also has what it printed. */
  npm = (script: string, ...options: string[]) =>
    run('npm', ['run', '-s', script, '--', ...options], { cwd: this.folder }).catch((error) => {
      error.message += error.stdout;
      throw error;
    });

  /** Does what `npm run generate` does, as the last build has it, in this process: a process of its own would load for seconds. */
  async generate(): Promise<string> {
    const built = pathToFileURL(this.path('dist', 'scripts', 'generate', 'generate.js')).href;
    const { generate }: typeof import('../../scripts/generate/generate.ts') = await import(built);
    return generate({ root: this.folder, isRepeated: true });
  }

  /** Edits a file, openapi.yaml unless it is another. */
  async edit(change: (text: string) => string, file = 'openapi.yaml'): Promise<void> {
    await writeFile(this.path(file), change(await readFile(this.path(file), 'utf8')));
  }
}
