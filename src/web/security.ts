import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { checkClient } from '../auth/authenticate-request.ts';
import { forbidden } from '../domain/errors.ts';
import { clientInfoOf } from '../server/client-info.ts';
import { type PageDeps, pageRequestOf } from './page.ts';

const self = ["'self'"];
const none = ["'none'"];

/** Allows only our own scripts, styles and form targets, and no framing. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      scriptSrc: self,
      styleSrc: self,
      // The icons of Oat, the style sheet, are data: URLs.
      imgSrc: ["'self'", 'data:'],
      formAction: self,
      baseUri: none,
      frameAncestors: none,
    },
  },
  // Set for every answer over https by the outermost layer.
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
});

/** The content security policy of the front page. */
export const publicPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** That of the API reference, whose renderer has its styles in its script and in attributes, and sends requests. */
export const docsPolicy = `${publicPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}; connect-src 'self'`;

/** Applies the API's https rule and address limit to pages. Throws 400 `https` and 429 `address`. */
export const requireSecureClient =
  ({ auth, listener }: PageDeps): RequestHandler =>
  async (request, _response, next) => {
    await checkClient(auth, clientInfoOf(request, 'production', listener));
    next();
  };

/** Refuses forms that the browser says come from another site, before the body is read. */
export const refuseCrossSiteForms: RequestHandler = (request, response, next) => {
  const site = request.headers['sec-fetch-site'];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('permission', pageRequestOf(response).t('This form was sent from another site.'));
  next();
};
