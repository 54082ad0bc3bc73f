// The content security policies.

/** Allows our own scripts, styles and images, and the icons of the style sheet Oat, which are data: URLs. No framing. */
const basePolicy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;base-uri 'none';frame-ancestors 'none'";

/** Of the portals' pages, and of the front page. */
export const pagePolicy = `${basePolicy};form-action 'self'`;

/** Of the page to try operations on, whose renderer has its styles in its script and in attributes, and sends requests. */
export const docsPolicy = `${basePolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")};form-action 'none';connect-src 'self'`;
