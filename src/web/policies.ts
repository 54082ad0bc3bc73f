// The content security policies.

/** Our own scripts, styles and images, and the icons of Oat, the style sheet, which are data: URLs. No framing. */
const basePolicy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;base-uri 'none';frame-ancestors 'none'";

/** Of the portals' pages. */
export const portalPolicy = `${basePolicy};form-action 'self'`;

/** Of the front page. */
export const publicPolicy = `${basePolicy};form-action 'none'`;

/** Of the API reference, whose renderer has its styles in its script and in attributes, and sends requests. */
export const docsPolicy = `${publicPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")};connect-src 'self'`;
