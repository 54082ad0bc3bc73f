// The content security policies.

/** Allows our own scripts, styles and images, and the icons of the style sheet Oat, which are data: URLs. No framing. */
const basePolicy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;base-uri 'none';frame-ancestors 'none'";

/** For the portals' pages. */
export const portalPolicy = `${basePolicy};form-action 'self'`;

/** For the front page. */
export const publicPolicy = `${basePolicy};form-action 'none'`;

/** For the API reference. Its renderer has styles in its script and in attributes, and sends requests. */
export const docsPolicy = `${publicPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")};connect-src 'self'`;
