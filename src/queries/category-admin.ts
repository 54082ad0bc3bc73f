import type { Tx } from '../database/transaction.ts';

interface CategoryState {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

export interface CategoryTree extends CategoryState {
  readonly children: readonly CategoryState[];
}

const state = { id: true, name: true, active: true } as const;

/** Main areas with their children, inactive ones too: the reference data, to which nobody can add. */
export const listCategoryTree = (tx: Tx): Promise<CategoryTree[]> =>
  tx.category.findMany({
    where: { parentId: null },
    select: { ...state, children: { select: state, orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  });

/** Undefined where there is no such category; `changed` is false where it was so already. */
export async function setCategoryActive(
  tx: Tx,
  id: number,
  active: boolean,
): Promise<{ readonly name: string; readonly changed: boolean } | undefined> {
  const { count } = await tx.category.updateMany({ where: { id, active: !active }, data: { active } });
  const found = await tx.category.findUnique({ where: { id }, select: { name: true } });
  return found ? { name: found.name, changed: count > 0 } : undefined;
}
