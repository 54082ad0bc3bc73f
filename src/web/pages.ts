import express, { type Router } from 'express';
import { adminPages } from './admin/admin.ts';
import { serveAssets } from './assets.ts';
import { chooseLanguage } from './choose-language.ts';
import { dashboardPages } from './dashboard/dashboard.ts';
import { errorPage, unknownPage } from './error-page.tsx';
import type { PageDeps } from './page.ts';
import { portalRouter } from './portal-router.ts';
import { portals } from './portals.ts';
import { prefersHtml } from './reference/reference.ts';
import { requireSecureClient, securityHeaders } from './security.ts';
import { loadLanguage, pageSender } from './send-page.tsx';

/** Both portals, each at its base, and what they share. */
export function pages(deps: PageDeps): Router {
  const router = express.Router({ caseSensitive: true });
  const assets = serveAssets();
  router.use(assets.base, assets.router);
  router.use('/language', chooseLanguage(deps));
  router.use(portals.company.base, portalRouter(dashboardPages, deps));
  router.use(portals.administrator.base, portalRouter(adminPages, deps));
  return router.use(unknownAddress(deps));
}

/** Where only programs ask, whatever they accept. */
const forPrograms = /^\/(\.well-known|mcp|sandbox)\//;

/** Shows a page where there is nothing, to browsers; API clients get the error envelope. */
function unknownAddress(deps: PageDeps): Router {
  const router = express.Router();
  router.use((request, response, next) =>
    next(!forPrograms.test(request.path) && prefersHtml(request, response) ? undefined : 'router'),
  );
  router.use(loadLanguage, securityHeaders, requireSecureClient(deps), unknownPage);
  return router.use(errorPage('company', deps.log, pageSender(dashboardPages, deps.timeZone)));
}
