import { expect } from 'chai';
import { referenceTexts } from '../../src/database/prisma-folder.ts';

interface Category {
  id: number;
  name: string;
  slug: string;
  parent_id: number | null;
  active: boolean;
}

describe('reference data', () => {
  let plans: { name: string; posting_limit: number; api_eligible: boolean }[];
  let districts: { id: number; name: string; slug: string }[];
  let categories: Category[];

  before(async () => {
    [plans, districts, categories] = (await referenceTexts()).map((text) => JSON.parse(text)) as [
      typeof plans,
      typeof districts,
      typeof categories,
    ];
  });

  it('holds the 18 mainland districts, Açores and Madeira, numbered from 1', () => {
    expect(districts.map(({ id }) => id)).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(districts.map(({ name }) => name)).to.include.members(['Lisboa', 'Évora', 'Bragança', 'Setúbal']);
    expect(districts.slice(18).map(({ name }) => name)).to.deep.equal(['Açores', 'Madeira']);
  });

  it('holds a tree of two levels with at least 14 main areas and 80 children', () => {
    const areas = new Map(categories.filter(({ parent_id }) => parent_id === null).map((area) => [area.id, area]));
    const children = categories.filter(({ parent_id }) => parent_id !== null);
    expect(areas.size).to.be.at.least(14);
    expect(children.length).to.be.at.least(80);
    for (const { id, parent_id } of children) expect(areas.has(parent_id ?? 0), String(id)).to.equal(true);
  });

  it('includes inactive children, and an inactive main area with active children', () => {
    const inactiveAreas = categories
      .filter(({ parent_id, active }) => parent_id === null && !active)
      .map(({ id }) => id);
    expect(categories.filter(({ parent_id, active }) => parent_id !== null && !active)).to.have.length.above(1);
    expect(inactiveAreas).to.have.length(1);
    expect(categories.some(({ parent_id, active }) => active && inactiveAreas.includes(parent_id ?? 0))).to.equal(true);
  });

  it('has unique ids and slugs of plain letters', () => {
    for (const rows of [districts, categories]) {
      expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length);
      expect(new Set(rows.map(({ slug }) => slug)).size).to.equal(rows.length);
      for (const { slug } of rows) expect(slug).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  it('makes Pro, VIP and Especial eligible for the interface', () => {
    expect(plans.filter(({ api_eligible }) => api_eligible).map(({ name }) => name)).to.deep.equal([
      'Pro',
      'VIP',
      'Especial',
    ]);
    expect(plans.map(({ posting_limit }) => posting_limit)).to.deep.equal([1, 5, 20, 50, -1]);
  });
});
