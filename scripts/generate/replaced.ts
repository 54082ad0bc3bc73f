import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The first line of a migration that `npm run generate` writes. */
export const generatedMark = '-- By `npm run generate`, which makes it anew until it is committed.\n';

interface Named {
  /** Below prisma/migrations. */
  readonly folder: string;
  readonly sql: string;
}

/** A migration of `npm run generate` that no commit has, and the contract of the last commit. */
export interface Uncommitted extends Named {
  readonly contract: string;
}

/** A migration that was made anew (`from`), the one in its place, if any (`to`), and the SQL for a database that has applied `from`. */
export interface Replaced {
  readonly from: Named;
  readonly to: Named | undefined;
  readonly onward: string;
}

/** The file with the list of replaced migrations. It is neither in git nor in a release. */
const listIn = (root: string): string => join(root, 'dist', 'run', 'replaced.json');

/** The migrations of a checkout that were made anew, oldest first. */
export const readReplaced = (root: string): Replaced[] =>
  existsSync(listIn(root)) ? JSON.parse(readFileSync(listIn(root), 'utf8')) : [];

/** Removes a migration that was made anew, and remembers it for databases that have applied it. */
export function replace(root: string, replaced: Replaced): void {
  const { from, to } = replaced;
  mkdirSync(dirname(listIn(root)), { recursive: true });
  writeFileSync(listIn(root), JSON.stringify([...readReplaced(root), replaced]));
  if (from.folder !== to?.folder) rmSync(join(root, 'prisma/migrations', from.folder), { recursive: true });
}

/** The last migration that no commit has, if `npm run generate` wrote it. Undefined without git. */
export function uncommittedMigration(root: string): Uncommitted | undefined {
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
  const isNew = (name: string) => !committed?.includes(`prisma/migrations/${name}/migration.sql`);
  const folder = all.filter(isNew).sort().at(-1);
  if (!committed || !contract || !folder) return undefined;
  const sql = sqlOf(folder);
  return sql.startsWith(generatedMark) ? { folder, sql, contract } : undefined;
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
