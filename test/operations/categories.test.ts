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
