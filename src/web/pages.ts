import express, { type Router } from 'express';
import { adminPages } from './admin/admin.ts';
import { serveAssets } from './assets.ts';
import { chooseLanguage } from './choose-language.ts';
import { dashboardPages } from './dashboard/dashboard.ts';
import type { PageDeps } from './page.ts';
import { portalRouter } from './portal-router.ts';
import { portals } from './portals.ts';

/** Both portals, each at its base, and what they share. */
export function pages(deps: PageDeps): Router {
  const router = express.Router({ caseSensitive: true });
  const assets = serveAssets();
  router.use(assets.base, assets.router);
  router.use('/language', chooseLanguage(deps));
  router.use(portals.company.base, portalRouter(dashboardPages, deps));
  router.use(portals.administrator.base, portalRouter(adminPages, deps));
  return router;
}
