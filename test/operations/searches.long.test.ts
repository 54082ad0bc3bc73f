import type { Server } from 'node:http';
import { expect } from 'chai';
import type pg from 'pg';
import type { Context } from '../../src/context.ts';
import { createAdministrator, createUser } from '../../src/operations/users/people/create-account.ts';
import { recordStatements, type Statement } from '../database/recorded-statements.ts';
import { actionContext, startApp } from '../helper/fixtures.ts';
import { PageClient, password, textOf } from '../helper/page-client.ts';
import { onCitus, openTestDatabase, type TestDatabase } from '../helper/test-database.ts';
import { fillWithWorstTexts, searchedTexts, searchesOf } from '../helper/worst-texts.ts';

const [rows, beyond] = [50_000, 10];

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
type Ran = { readonly Plans?: readonly Ran[] } & { readonly [Property in string]?: unknown };

/** The rows that a plan has read from tables. */
function rowsRead(node: Ran): number {
  const below = (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
  if (node['Relation Name'] === undefined) return below;
  const [each, removed = 0] = [node['Actual Rows'], node['Rows Removed by Filter']].map(Number);
  return below + (Number(each) + (removed || 0)) * Number(node['Actual Loops']);
}

async function readBy(client: pg.Pool, { text, values }: Statement): Promise<number> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
  return rowsRead(rows[0]['QUERY PLAN'][0].Plan);
}

describe('searches over 50,000 rows of the worst text', () => {
  let own: TestDatabase;
  let at: Server;
  let ctx: Context;
  let companyId: bigint;

  before(async () => {
    own = await openTestDatabase();
    companyId = await fillWithWorstTexts(own.database.pools.operations, { rows: rows + beyond });
    at = await startApp({}, { db: own.database.db });
    ctx = { ...actionContext(), db: own.database.db };
  });
  after(() => own?.close());

  for (const [name, text] of Object.entries(searchedTexts))
    it(`fold no row, and look for few and short pieces in a bounded number of rows: ${name}`, async () => {
      for (const [list, search] of Object.entries(searchesOf(ctx, companyId))) {
        const statements = (await recordStatements(() => search(text))).filter(({ text }) =>
          /^\s*(WITH|SELECT)/.test(text),
        );
        expect(statements, list).to.not.deep.equal([]);
        for (const { text, values } of statements) {
          expect(text, list).to.not.match(/folded_text|regexp_replace|normalize|translate|LIKE|lower\((?!name\))/i);
          if (!text.includes('strpos(')) continue;
          const isLongest = (value: unknown) => typeof value === 'string' && /^[ey]e/.test(value) && value.length > 16;
          expect(values.filter(isLongest), list).to.deep.equal([]);
          // Twice eight pieces, or twelve trigrams.
          expect(text.split('strpos(').length - 1, list).to.be.at.most(16);
        }
        // On Citus, the workers read the rows.
        if (!onCitus)
          for (const statement of statements)
            expect(await readBy(own.database.pools.operations, statement), `${list}: ${statement.text}`).to.be.at.most(
              2 * (rows + beyond) + 100,
            );
      }
    });

  it('say on the page that only the newest ones are searched, in both languages', async () => {
    const [person, administrator] = ['pessoa@example.com', 'consola@example.com'];
    await createUser(ctx, { companyId, email: person, role: 'main', password });
    await createAdministrator(ctx, { email: administrator, password });
    const visitor = await PageClient.signedIn('administrator', administrator, at);
    // The longer the rows are, the fewer are read for a text.
    const pages = [
      [await PageClient.signedIn('company', person, at), '/jobs?text=nothing', 10],
      [visitor, '/jobs?text=nothing', 10],
      [visitor, '/review?sort=newest&text=nothing', 10],
      [visitor, '/companies?text=nothing', 10],
      [visitor, '/jobs?sort=title', 50],
      [visitor, '/companies?sort=name', 50],
    ] as const;
    for (const [client, path, thousands] of pages) {
      const page = textOf(await client.get(path), 'main');
      expect(page, path).to.match(new RegExp(`Only the newest ${thousands},000 are searched. There are more.`));
      if (path.includes('text=')) expect(page, path).to.include('Nothing found');
      const portuguese = textOf(await client.get(path, { 'Accept-Language': 'pt' }), 'main');
      expect(portuguese, path).to.match(/Só são pesquisadas as [15]0\s?000 mais recentes\. Há mais\./);
    }
    const queue = await visitor.get('/review?text=nothing');
    expect(textOf(queue, 'main')).to.include('Only the oldest 10,000 are searched.');
    const audit = await visitor.get('/audit?text=nothing');
    expect(textOf(audit, 'main')).to.include('Nothing found so far. There are more.');
  });
});
