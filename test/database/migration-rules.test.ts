import { expect } from 'chai';
import { Prisma } from '../../generated/prisma/client.ts';
import { currentSchema, migrationTo, separateKeys } from '../../scripts/generate/migration.ts';
import { listMigrations, readMigration, referenceTexts } from '../../src/database/prisma-folder.ts';
import { splitStatements } from '../../src/database/split-statements.ts';
import { db } from '../helper/fixtures.ts';

/** What Citus would refuse in a migration of distributed tables. */
function mistakesIn(script: string): string[] {
  const statements = splitStatements(script);
  const created = statements.map((statement) => /^CREATE TABLE "(\w+)"/.exec(statement)?.[1]).filter(Boolean);
  return statements.flatMap((statement) => {
    const [, table = ''] = /^ALTER TABLE (?:ONLY )?"?(\w+)/.exec(statement) ?? [];
    if (table === '' || !statement.includes('ADD CONSTRAINT')) return [];
    const mistakes = {
      'adds a constraint beside something else': /,\s*(ADD|DROP|ALTER)\b/.test(statement),
      'cascades updates of the company': /FOREIGN KEY \([^)]*company_id[^)]*\).*ON UPDATE CASCADE/s.test(statement),
      'adds the keys of a new table, which is not distributed yet':
        created.includes(table) && /FOREIGN KEY \([^)]*company_id/.test(statement),
    };
    return Object.entries(mistakes).flatMap(([mistake, is]) => (is ? [`${table} ${mistake}`] : []));
  });
}

const unused = 'The version before does not use it.';

/** The changes of a migration to anything that the version before may use. */
const changesIn = (script: string): string[] =>
  script.includes(`-- ${unused}`)
    ? []
    : splitStatements(script).filter((statement) =>
        /\bDROP (TABLE|COLUMN|FUNCTION|TYPE)\b|\bRENAME\b|\bSET (NOT NULL|DATA TYPE)\b|\bADD VALUE\b|ADD COLUMN (?![^,]*DEFAULT)[^,]*NOT NULL/.test(
          statement,
        ),
      );

/** The last migration of the versions that refuse a newer schema. */
const lastOfRelease = '20261124092143_job_events_without_key';

/** Applied before tables are distributed. A later migration changes their keys. */
const earlier = ['20260101000000_init', '20260601000000_pages_and_operation'];

describe('migrations', () => {
  it('hold nothing that Citus refuses on distributed tables', async () => {
    for (const name of await listMigrations())
      if (!earlier.includes(name)) expect(mistakesIn(await readMigration(name)), name).to.deep.equal([]);
  });

  it('only add, so that the version before starts on the newer schema', async () => {
    for (const name of await listMigrations())
      if (name > lastOfRelease) expect(changesIn(await readMigration(name)), name).to.deep.equal([]);
    const additions = ['ADD COLUMN a int', 'ADD COLUMN a int NOT NULL DEFAULT 1', 'DROP CONSTRAINT a'];
    for (const one of additions) expect(changesIn(`ALTER TABLE "jobs" ${one}`), one).to.deep.equal([]);
    const changes = ['DROP COLUMN a', 'RENAME TO b', 'ALTER COLUMN a SET NOT NULL', 'ADD COLUMN a int NOT NULL'];
    for (const one of [...changes, 'ALTER COLUMN a SET DATA TYPE text'])
      expect(changesIn(`ALTER TABLE "jobs" ${one}`), one).to.have.length(1);
    for (const one of ['DROP TABLE jobs', 'DROP FUNCTION a', `ALTER TYPE "role" ADD VALUE 'x'`]) {
      expect(changesIn(one), one).to.have.length(1);
      expect(changesIn(`-- ${unused}\n${one}`), one).to.deep.equal([]);
    }
  });

  it('every unique key of a tenant’s table begins with the company', async () => {
    const keys = await db().$queryRaw<{ name: string; first: string }[]>(Prisma.sql`
      SELECT k.indexrelid::regclass::text AS name,
             (SELECT attname::text FROM pg_attribute WHERE attrelid = k.indrelid AND attnum = k.indkey[0]) AS first
        FROM pg_index k JOIN pg_class c ON c.oid = k.indrelid
       WHERE k.indisunique AND c.relnamespace = current_schema()::regnamespace
         AND EXISTS (SELECT FROM pg_index p JOIN pg_attribute a ON a.attrelid = p.indrelid AND a.attnum = ANY (p.indkey)
                      WHERE p.indrelid = k.indrelid AND p.indisprimary AND a.attname = 'company_id')`);
    expect(keys.length).to.be.at.least(9);
    expect(keys.filter(({ first }) => first !== 'company_id')).to.deep.equal([]);
  });

  it('npm run new-migration writes the keys of a new table as a migration of their own', async () => {
    const notes = `model Note {
      companyId BigInt  @map("company_id")
      id        BigInt  @default(autoincrement())
      company   Company @relation(fields: [companyId], references: [id], onDelete: Cascade, onUpdate: NoAction)
      @@id([companyId, id])
      @@map("notes")
    }`;
    const schema = (await currentSchema()).replace('  users                User[]', '  users User[]\n  notes Note[]');
    const migration = await migrationTo({
      schema: `${schema}\n${notes}`,
      name: 'notes',
      now: new Date('2027-01-01'),
      keep: true,
    });
    const written = migration ? separateKeys(migration) : [];
    expect(written.map(({ folder }) => folder)).to.deep.equal(['20270101000000_notes', '20270101000000_notes_keys']);
    for (const { sql } of written) expect(mistakesIn(sql)).to.deep.equal([]);
    expect(splitStatements(written[1]?.sql ?? '')).to.have.length(1);
  });

  it('a column that becomes wider loses no data, and one that becomes narrower does', async () => {
    const schema = await currentSchema();
    const years = 'experienceYears Int?';
    const [least, most] = ['min', 'max'].map((end) => {
      const name = `salary${end === 'min' ? 'Min' : 'Max'}`;
      return `${name} Decimal? @map("salary_${end}") @db.Decimal(10, 2)`;
    }) as [string, string];
    const lossesOf = async (...changes: (readonly [from: string, to: string])[]) => {
      const changed = changes.reduce((text, [from, to]) => {
        expect(text).to.include(from);
        return text.replace(from, to);
      }, schema);
      return (await migrationTo({ schema: changed, name: 'sizes', now: new Date(), keep: true }))?.losses;
    };
    const sized = (column: string, size: string) => [column, column.replace('10, 2', size)] as const;
    const wider = [[years, 'experienceYears BigInt?'], sized(least, '11, 2'), sized(most, '11, 3')] as const;
    expect(await lossesOf(...wider)).to.deep.equal([]);
    expect(await lossesOf(sized(least, '9, 2'), sized(most, '10, 3'))).to.have.length(2);
  });
});

type Row = Readonly<{ id: number; name: string; slug: string }>;
type Category = Row & Readonly<{ parent_id: number | null; active: boolean }>;
type Plan = Readonly<{ name: string; posting_limit: number; api_eligible: boolean }>;

describe('reference data', () => {
  let plans: Plan[];
  let districts: Row[];
  let categories: Category[];

  before(async () => {
    const parsed = (await referenceTexts()).map((text) => JSON.parse(text));
    [plans, districts, categories] = parsed as [Plan[], Row[], Category[]];
  });

  it('holds the 18 mainland districts, Açores and Madeira, numbered from 1', () => {
    expect(districts.map(({ id }) => id)).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(districts.map(({ name }) => name)).to.include.members(['Lisboa', 'Évora', 'Bragança', 'Setúbal']);
    expect(districts.slice(18).map(({ name }) => name)).to.deep.equal(['Açores', 'Madeira']);
  });

  it('holds a tree of at least 14 main areas and 80 children, with inactive ones and active children of an inactive area', () => {
    const areas = new Map(categories.filter(({ parent_id }) => parent_id === null).map((area) => [area.id, area]));
    const children = categories.filter(({ parent_id }) => parent_id !== null);
    expect(areas.size).to.be.at.least(14);
    expect(children.length).to.be.at.least(80);
    const areaOf = ({ parent_id }: Category) => areas.get(parent_id ?? 0);
    expect(children.filter((child) => !areaOf(child))).to.deep.equal([]);
    expect([...areas.values()].filter(({ active }) => !active)).to.have.length(1);
    expect(children.filter(({ active }) => !active)).to.have.length.above(1);
    expect(children.some((child) => child.active && !areaOf(child)?.active)).to.equal(true);
  });

  it('has unique ids and slugs of plain letters', () => {
    for (const rows of [districts, categories]) {
      expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length);
      expect(new Set(rows.map(({ slug }) => slug)).size).to.equal(rows.length);
      for (const { slug } of rows) expect(slug).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  it('makes Pro, VIP and Especial eligible for the interface', () => {
    const eligible = plans.filter(({ api_eligible }) => api_eligible).map(({ name }) => name);
    expect(eligible).to.deep.equal(['Pro', 'VIP', 'Especial']);
    expect(plans.map(({ posting_limit }) => posting_limit)).to.deep.equal([1, 5, 20, 50, -1]);
  });
});
