import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { longFormOf } from '../../src/web/form.ts';

const routes = [...dashboardPages.routes, ...adminPages.routes];

/** The most bytes that a form of any page may have. */
export const longestFormBytes = Math.max(
  ...routes.flatMap(({ stored }) => (stored ? [longFormOf(stored).bytesMax] : [])),
);
