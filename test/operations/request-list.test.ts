import { expect } from 'chai';
import { listRequests } from '../../src/operations/requests/people/list-requests.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';

describe('the list of a company’s requests', () => {
  it('reads a bounded number of requests for each filtered page, and goes on behind them', async () => {
    const { id: companyId } = await newCompany();
    const made = 50_003;
    await db().$executeRaw`
      INSERT INTO request_log (company_id, environment, at, request_id, protocol, credential_id, status, latency_ms)
      SELECT ${companyId}, 'sandbox', now() - n * interval '1 second', n::text, 'rest', 1, CASE WHEN n IN (2, ${made}) THEN 418 ELSE 200 END, 1
        FROM generate_series(1, ${made}::int) AS n`;
    const asked = { companyId, environment: 'sandbox', status: '418' } as const;
    for (const [sort, found] of [
      ['newest', [['2'], [`${made}`]]],
      ['oldest', [[`${made}`], ['2']]],
    ] as const) {
      const pages: string[][] = [];
      let before: bigint | undefined;
      do {
        const { items, next } = await listRequests(actionContext(), { ...asked, sort, before });
        pages.push(items.map(({ requestId }) => requestId));
        before = next ?? undefined;
      } while (before !== undefined && pages.length < 9);
      expect(pages, sort).to.deep.equal(found);
    }
    const unfiltered = await listRequests(actionContext(), { companyId, environment: 'sandbox' });
    expect(unfiltered.items).to.have.length(50);
  });
});
