import express, { type Router } from 'express';
import { admin } from './admin/admin.ts';
import { serveAssets } from './assets.ts';
import { dashboard } from './dashboard/dashboard.ts';
import type { PageDeps } from './page-deps.ts';
import { portals } from './portals.ts';

/** Both sets of pages, each at its base, with the files that they share. */
export function pages(deps: PageDeps): Router {
  const router = express.Router({ caseSensitive: true });
  const assets = serveAssets();
  router.use(assets.base, assets.router);
  router.use(portals.company.base, dashboard(deps));
  router.use(portals.administrator.base, admin(deps));
  return router;
}
