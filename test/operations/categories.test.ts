import { expect } from 'chai';
import {
  activateCategory,
  deactivateCategory,
  listAllCategories,
} from '../../src/operations/reference/change-category.ts';
import { categoriesNow } from '../helper/categories.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const area = 2;
const child = 201;

const traces = () =>
  db().auditEntry.findMany({
    where: { action: { startsWith: 'category.' } },
    select: { action: true, actor: true, details: true },
    orderBy: { id: 'asc' },
  });

describe('listAllCategories, activateCategory, deactivateCategory', () => {
  afterEach(() => db().category.updateMany({ where: { id: { in: [area, child] } }, data: { active: true } }));

  it('an inactive category is listed only for administrators and takes no job from the next request', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const created = await asWriter.create({ ...minimalJob, category_id: child });
    const before = (await traces()).length;
    const ctx = actionContext({ kind: 'administrator', id: 3n });
    const reason = 'Duplicada.';
    const { name } = await deactivateCategory(ctx, { categoryId: child, reason });
    const listed = (await categoriesNow(asWriter)).body.data as { id: number }[];
    expect(listed.some(({ id }) => id === child)).to.equal(false);
    expect((await asWriter.create({ ...minimalJob, category_id: child })).status).to.equal(422);
    expect((await asWriter.get(`/jobs/${created.body.data.id}`)).body.data.category_id).to.equal(child);
    const tree = await listAllCategories(actionContext());
    const found = tree.find(({ id }) => id === area)?.children.find(({ id }) => id === child);
    expect(found).to.include({ id: child, name, active: false });
    await activateCategory(ctx, { categoryId: child });
    expect((await asWriter.create({ ...minimalJob, category_id: child })).status).to.equal(201);
    const details = { category_id: child };
    expect((await traces()).slice(before)).to.deep.equal([
      { action: 'category.deactivated', actor: 'administrator:3', details: { ...details, reason } },
      { action: 'category.activated', actor: 'administrator:3', details },
    ]);
  });

  it('an inactive main area hides its children, which keep their own state', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    await deactivateCategory(actionContext(), { categoryId: area });
    const listed = (await categoriesNow(asWriter)).body.data as { id: number; parent_id: number | null }[];
    expect(listed.some(({ id, parent_id: parent }) => id === area || parent === area)).to.equal(false);
    expect((await asWriter.create({ ...minimalJob, category_id: child })).status).to.equal(422);
    const tree = await listAllCategories(actionContext());
    expect(tree.find(({ id }) => id === area)?.children.every(({ active }) => active)).to.equal(true);
  });

  it('a change to the current state is not recorded; an unknown category is refused', async () => {
    const before = await traces();
    await activateCategory(actionContext(), { categoryId: child });
    for (const categoryId of [999_999, 2 ** 40])
      await expectRefused('unknown_category', () => deactivateCategory(actionContext(), { categoryId }));
    expect(await traces()).to.deep.equal(before);
  });
});
