import express, { type Router } from 'express';
import { admin } from './admin/admin.ts';
import { serveAssets } from './assets.ts';
import { dashboard } from './dashboard/dashboard.ts';
import type { PageDoor } from './page-door.ts';
import { realms } from './realms.ts';

/** Both sets of pages, each at its base, with the files that they share. */
export function pages(door: PageDoor): Router {
  const router = express.Router({ caseSensitive: true });
  const assets = serveAssets();
  router.use(assets.base, assets.router);
  router.use(realms.company.base, dashboard(door));
  router.use(realms.administrator.base, admin(door));
  return router;
}
