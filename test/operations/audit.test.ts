import { expect } from 'chai';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { requestTimeAt } from '../../src/domain/request-time.ts';
import { listAudit } from '../../src/operations/audit/list-audit.ts';
import { approveCompany, changeCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { createAdministrator } from '../../src/operations/people/create-account.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { recordStatements, type Statement } from '../helper/record-statements.ts';

const actionsOf = async (question: Parameters<typeof listAudit>[1]): Promise<string[]> =>
  (await listAudit(actionContext(), question)).items.map(({ action }) => action);

describe('listAudit', () => {
  it("lists newest first, with the company's name and the administrator's e-mail address", async () => {
    const acme = await newCompany({ name: 'Rasto Lda', approved: false });
    const email = `rasto-${acme.id}@example.com`;
    const password = 'uma frase que é longa';
    const { administratorId } = await createAdministrator(actionContext(), { email, password });
    const actor = `administrator:${administratorId}`;
    await approveCompany(actionContext({ kind: 'administrator', id: administratorId }), { companyId: acme.id });
    const { items: entries } = await listAudit(actionContext(), { companyId: acme.id });
    expect(entries.map(({ action }) => action)).to.deep.equal(['company.approved', 'company.created']);
    expect(entries[0]).to.include({ actor, actorEmail: email, companyName: 'Rasto Lda', companyId: acme.id });
    expect(entries[1]).to.include({ actor: 'operator', actorEmail: null });
    const administrator = await db().administrator.findUnique({
      where: { id: administratorId },
      select: { email: true },
    });
    expect(administrator).to.deep.equal({ email });
    expect(await actionsOf({ actor })).to.deep.equal(['company.approved']);
  });

  it('filters by kind of actor, by action and by company', async () => {
    const acme = await newCompany({ approved: false });
    await approveCompany(actionContext({ kind: 'administrator', id: 9000001n }), { companyId: acme.id });
    const companyId = acme.id;
    await resetSandbox(actionContext({ kind: 'user', id: 9000001n, companyId, role: 'main' }), { companyId });
    expect(await actionsOf({ companyId, actorKind: 'administrator' })).to.deep.equal(['company.approved']);
    expect(await actionsOf({ companyId, actorKind: 'user' })).to.deep.equal(['sandbox.reset']);
    expect(await actionsOf({ companyId, actor: 'operator' })).to.deep.equal(['company.created']);
    expect(await actionsOf({ companyId, action: 'sandbox.reset' })).to.deep.equal(['sandbox.reset']);
    expect(await actionsOf({ companyId: 9_000_000_000_000n })).to.deep.equal([]);
  });

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

  it('lists 50 per page; each page continues where the one before ended', async () => {
    const acme = await newCompany();
    const data = Array.from({ length: 100 }, (_, i) => ({
      companyId: acme.id,
      actor: 'operator',
      action: 'company.changed',
      details: { i },
      createdAt: new Date(),
    }));
    await db().auditEntry.createMany({ data });
    const pages: number[] = [];
    let before: bigint | undefined;
    do {
      const page = await listAudit(actionContext(), { companyId: acme.id, before });
      pages.push(page.items.length);
      before = page.next;
    } while (before !== undefined);
    expect(pages).to.deep.equal([50, 50, 1]);
  });

  it('filters within a bound: a page reads at most 5,000 entries, and the next continues there', async () => {
    const acme = await newCompany();
    const companyId = acme.id;
    const marked = async (action: string, reason: string, createdAt: Date) =>
      db().auditEntry.create({
        data: { companyId, actor: 'administrator:9000002', action, details: { reason }, createdAt },
      });
    await marked('company.suspended', 'A mais antiga', new Date('2020-06-01'));
    await db().$executeRaw`
      INSERT INTO audit_entries (company_id, actor, action, details, created_at)
      SELECT ${companyId}, 'operator', 'company.changed', '{"verified": true}', now() FROM generate_series(1, 12000)`;
    await marked('company.reinstated', 'A mais nova', new Date());
    await db().$executeRaw`ANALYZE audit_entries`;
    // The planner may read the few entries of other companies in between.
    const others = (await db().auditEntry.count()) - (await db().auditEntry.count({ where: { companyId } }));
    for (const filter of [
      { companyId, action: 'company.suspended' },
      { companyId, actorKind: 'administrator' },
      { companyId, actor: 'administrator:9000002' },
      { companyId, text: 'antiga' },
      { companyId, firstDay: '2020-05-31', lastDay: '2020-12-31' },
      { action: 'company.suspended', text: 'antiga' },
      { actorKind: 'administrator', companyId, sort: 'oldest' },
    ] as const) {
      const about = JSON.stringify({ ...filter, companyId: undefined });
      const found: string[] = [];
      let before: bigint | undefined;
      let pages = 0;
      do {
        const at = before;
        const statements = await recordStatements(async () => {
          const page = await listAudit(actionContext(), { ...filter, before: at });
          found.push(...page.items.map(({ action }) => action));
          before = page.next;
        });
        pages += 1;
        for (const statement of statements.filter(({ text }) => text.includes('audit_entries')))
          expect(await entriesRead(statement), about).to.be.at.most(5001 + others);
      } while (before !== undefined);
      const expected = [
        'company.suspended',
        ...('actor' in filter || 'actorKind' in filter ? ['company.reinstated'] : []),
      ];
      expect(found, about).to.have.members(expected);
      const entries = 12_002 + ('companyId' in filter ? 0 : others);
      expect(pages, about).to.equal(Math.ceil(entries / 5000));
    }
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many entries of the audit trail a statement reads, counted by PostgreSQL. */
async function entriesRead({ text, values }: Statement): Promise<number> {
  const [answer] = await db().$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    ...values,
  );
  const read = (node: PlanNode): number => {
    const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    const below = (node.Plans ?? []).map(read).reduce((sum, rows) => sum + rows, 0);
    return below + (node['Relation Name'] === 'audit_entries' ? own : 0);
  };
  const plan = answer?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('no plan');
  return read(plan);
}
