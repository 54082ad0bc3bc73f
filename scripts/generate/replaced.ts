import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The first line of a migration that `npm run generate` writes. */
export const generatedMark = '-- By `npm run generate`, which makes it anew until it is committed.\n';

export interface Named {
  /** Below prisma/migrations. */
  readonly folder: string;
  readonly sql: string;
}

/**
 * The migrations of `npm run generate` that no commit has and no uncommitted one written by hand follows, oldest first, and the contract of
 * the last commit.
 */
export interface Uncommitted {
  readonly migrations: readonly Named[];
  readonly contract: string;
}

/** Migrations that were made anew (`from`), those in their place (`to`), and the SQL for a database that has applied all of `from`. */
export interface Replaced {
  readonly from: readonly Named[];
  readonly to: readonly Named[];
  readonly onward: string;
}

/** The file with the list of replaced migrations. It is neither in git nor in a release. */
const listIn = (root: string): string => join(root, 'dist', 'run', 'replaced.json');

/** The migrations of a checkout that were made anew, oldest first. An earlier build wrote a single migration in place of a list. */
export const readReplaced = (root: string): Replaced[] =>
  existsSync(listIn(root))
    ? JSON.parse(readFileSync(listIn(root), 'utf8')).map(({ from, to = [], onward }: Replaced) => ({
        from: [from].flat(),
        to: [to].flat(),
        onward,
      }))
    : [];

/** Removes migrations that were made anew, and remembers them for databases that have applied them. */
export function replace(root: string, replaced: Replaced): void {
  const { from, to } = replaced;
  mkdirSync(dirname(listIn(root)), { recursive: true });
  writeFileSync(listIn(root), JSON.stringify([...readReplaced(root), replaced]));
  for (const { folder } of from)
    if (!to.some((one) => one.folder === folder)) rmSync(join(root, 'prisma/migrations', folder), { recursive: true });
}

/** Reads them. Returns undefined without git, or if there are none. */
export function uncommittedMigrations(root: string): Uncommitted | undefined {
  const migrations = join(root, 'prisma', 'migrations');
  const sqlOf = (name: string): string => readFileSync(join(migrations, name, 'migration.sql'), 'utf8');
  const all = existsSync(migrations) ? readdirSync(migrations).filter((name) => !name.includes('.')) : [];
  if (!all.some((name) => sqlOf(name).startsWith(generatedMark))) return undefined;
  const git = (command: string): string | undefined => {
    const { status, stdout } = spawnSync('git', command.split(' '), {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    return status === 0 ? stdout : undefined;
  };
  // Looks at all branches, because a migration that is being merged or cherry-picked is in a commit of another branch.
  const committed = git('log --all -m --format= --name-only --relative -- prisma/migrations')?.split('\n');
  const contract = git('show HEAD:./generated/openapi.json');
  if (!committed || !contract) return undefined;
  const isNew = (name: string) => !committed.includes(`prisma/migrations/${name}/migration.sql`);
  const added = all
    .filter(isNew)
    .sort()
    .map((folder) => ({ folder, sql: sqlOf(folder) }));
  const last = added.findLastIndex(({ sql }) => !sql.startsWith(generatedMark));
  return last + 1 < added.length ? { migrations: added.slice(last + 1), contract } : undefined;
}

/** The lines of a migration, each change of a table's column with the table. */
export function clausesOf(sql: string): { readonly table?: string | undefined; readonly clause: string }[] {
  let last: string | undefined;
  return sql.split('\n').map((line) => {
    const [, table = last, clause] = /^(?:ALTER TABLE ("\w+") )?((?:ADD|ALTER|DROP) COLUMN .*?)[,;]?$/.exec(line) ?? [];
    last = table;
    return clause === undefined ? { clause: line } : { table, clause };
  });
}

/** Explains how to keep the data if a removed column was only renamed. Returns '' unless the SQL drops a column and adds one to the same table. */
export function renameHint(sql: string): string {
  const changed = clausesOf(sql).flatMap(({ table, clause }) => {
    const [, change, column] = /^(ADD|DROP) COLUMN +"(\w+)"/.exec(clause) ?? [];
    return column === undefined ? [] : [{ table, change, column }];
  });
  const gone = changed.find(({ change }) => change === 'DROP');
  const added = changed.find(({ change, table }) => change === 'ADD' && table === gone?.table);
  if (!gone || !added) return '';
  const [from, to] = [gone.column, added.column];
  return `
If ${from} is called ${to} now, add ${to} first, copy with UPDATE ${gone.table} SET "${to}" = "${from}", and remove ${from} in a later release.
Where no process of the version before runs meanwhile, repeat, and put in the place of both lines of the migration:
ALTER TABLE ${gone.table} RENAME COLUMN "${from}" TO "${to}";`;
}
