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

  /** Faults of a file of functions: a text of the file and its wrong replacement. */
  const faults: Record<string, [reason: string, from: string | RegExp, to: string]> = {
    'a time that is computed from a column': [
      'computes what is stable from a column',
      `(stored.updated_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC'`,
      `stored.updated_at + interval '1 millisecond'`,
    ],
    'a volatile value in SET': [
      'computes what is volatile',
      'SET job_id = made.id',
      `SET job_id = nextval('jobs_id_seq')`,
    ],
    'a stable choice in SET': [
      'chooses what is not immutable',
      'SET job_id = made.id',
      `SET created_at = coalesce(now(), at_time)`,
    ],
    'an enum as text in RETURNING': [
      'returns what is not immutable',
      'RETURNING usage.used',
      'RETURNING usage.allowance::text',
    ],
    'a change without the company': [
      'changes rows without the company',
      'SET job_id = made.id WHERE company_id = of_company AND',
      'SET job_id = made.id WHERE',
    ],
    'a lookup without the company': [
      'reads rows without the company',
      'SELECT used INTO counted FROM posting_usage\n        WHERE company_id = of_company AND',
      'SELECT used INTO counted FROM posting_usage\n        WHERE',
    ],
    'a join without the company': [
      'joins distributed tables without the company',
      /ON stored.company_id = used.company_id AND/,
      'ON',
    ],
    'a join with a table of the coordinator': [
      'joins distributed with local tables',
      'PERFORM FROM districts WHERE id = in_district',
      'PERFORM FROM jobs j JOIN users u USING (company_id) WHERE j.company_id = of_company',
    ],
  };
  for (const [fault, [reason, from, to]] of Object.entries(faults))
    it(`is found: ${fault}`, async () => {
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
