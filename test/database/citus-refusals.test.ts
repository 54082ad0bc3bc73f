import { expect } from 'chai';
import type pg from 'pg';
import { readFunctions, readRestoredCheck } from '../../src/database/prisma-folder.ts';
import { openTestDatabase, type TestDatabase } from '../helper/test-database.ts';
import { citusJudge, type Verdict } from './citus-refusals.ts';
import { functionStatements } from './node-trees.ts';

describe('what Citus refuses', () => {
  let own: TestDatabase;
  let client: pg.PoolClient;
  let judge: (text: string, parameters?: readonly string[]) => Promise<Verdict>;

  before(async () => {
    own = await openTestDatabase();
    client = await own.database.pools.operations.connect();
    judge = await citusJudge(client);
  });
  after(async () => {
    client?.release();
    await own?.close();
  });

  /** The statements of a file of functions that Citus refuses, with the reason, or whose rows may be on several nodes. */
  async function wrongIn(file: string): Promise<string[]> {
    const wrong: string[] = [];
    for (const { text, parameters } of functionStatements(file)) {
      const { refusals, isSpread } = await judge(text, parameters);
      const reasons = isSpread ? [...refusals, 'reads rows without the company'] : refusals;
      if (reasons.length > 0) wrong.push(`${reasons.join(', ')}: ${text.replace(/\s+/g, ' ')}`);
    }
    return wrong;
  }

  it('is in no statement of functions.sql, and each names the company', async () => {
    const file = await readFunctions();
    expect(functionStatements(file).length).to.equal(
      file.match(/(?<!\(\s*)^ *(SELECT|INSERT|UPDATE|DELETE|PERFORM|RETURN QUERY) /gm)?.length,
    );
    expect(await wrongIn(file)).to.deep.equal([]);
  });

  it('is not in what doctor --restored reads', async () => {
    expect((await judge(await readRestoredCheck())).refusals).to.deep.equal([]);
  });

  const sets = 'SET job_id = made.id';
  const counts = 'SELECT used INTO counted FROM posting_usage\n        WHERE';
  /** Faults of a file of functions: what is found, a text of the file and its wrong replacement. */
  const faults: [reason: string, from: string | RegExp, to: string][] = [
    [
      'computes what is stable from a column',
      `(stored.updated_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC'`,
      `stored.updated_at + interval '1 millisecond'`,
    ],
    ['computes what is volatile', sets, `SET job_id = nextval('jobs_id_seq')`],
    ['chooses what is not immutable', sets, `SET created_at = coalesce(now(), at_time)`],
    // An enum as text.
    ['returns what is not immutable', 'RETURNING usage.used', 'RETURNING usage.allowance::text'],
    ['changes rows without the company', `${sets} WHERE company_id = of_company AND`, `${sets} WHERE`],
    ['reads rows without the company', `${counts} company_id = of_company AND`, counts],
    ['joins distributed tables without the company', /ON stored.company_id = used.company_id AND/, 'ON'],
    [
      'joins distributed with local tables',
      'PERFORM FROM districts WHERE id = in_district',
      'PERFORM FROM jobs j JOIN users u USING (company_id) WHERE j.company_id = of_company',
    ],
  ];
  for (const [reason, from, to] of faults)
    it(`is found: ${reason}`, async () => {
      const file = await readFunctions();
      const mutated = file.replace(from, to);
      expect(mutated).to.not.equal(file);
      const wrong = await wrongIn(mutated);
      expect(wrong, wrong.join('\n')).to.have.length(1);
      expect(wrong[0]).to.include(reason);
    });

  const parts = `SELECT count(*) FROM audit_entries a WHERE NOT EXISTS (SELECT FROM credentials c WHERE c.company_id = a.company_id)`;
  it('is found in a statement that compares the audit trail with the credentials', async () => {
    expect((await judge(parts)).refusals).to.deep.equal(['joins distributed with local tables']);
  });
});
