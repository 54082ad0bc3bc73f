import { expect } from 'chai';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { requestTimeAt } from '../../src/domain/request-time.ts';
import { listAudit } from '../../src/operations/audit/list-audit.ts';
import { changeCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';

const actionsOf = async (question: Parameters<typeof listAudit>[1]): Promise<string[]> =>
  (await listAudit(actionContext(), question)).items.map(({ action }) => action);

describe('listAudit', () => {
  it('filters by every action of the closed list, and the trail contains no other', async () => {
    for (const action of auditActions) for (const found of await actionsOf({ action })) expect(found).to.equal(action);
    const written = await db().auditEntry.findMany({ distinct: ['action'], select: { action: true } });
    expect(auditActions).to.include.members(written.map(({ action }) => action));
  });

  it("days follow the service's time zone: in summer a day begins in Lisbon at 23:00 UTC", async () => {
    const acme = await newCompany();
    const ctx = { ...actionContext(), ...requestTimeAt(new Date('2026-07-14T22:59:59.999Z'), 'Europe/Lisbon') };
    await suspendCompany(ctx, { companyId: acme.id });
    const next = { ...actionContext(), ...requestTimeAt(new Date('2026-07-14T23:00:00.000Z'), 'Europe/Lisbon') };
    await changeCompany(next, { companyId: acme.id, verified: false });
    const on = (firstDay: string | undefined, lastDay: string | undefined) =>
      actionsOf({ companyId: acme.id, firstDay, lastDay });
    expect(await on('2026-07-14', '2026-07-14')).to.deep.equal(['company.suspended']);
    expect(await on('2026-07-15', '2026-07-15')).to.deep.equal(['company.changed']);
    expect(await on(undefined, '2026-07-15')).to.deep.equal(['company.changed', 'company.suspended']);
    for (const [firstDay, lastDay] of [
      ['2026-07-15', '2026-07-14'],
      ['2026-02-30', undefined],
      [undefined, 'ontem'],
      [undefined, '9999-12-31'],
    ] as const)
      await expectRefused('invalid_input', () => listAudit(actionContext(), { firstDay, lastDay }));
  });
});
