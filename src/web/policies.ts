// The content security policies.

/** Allows our own scripts, styles and images, and the icons of the style sheet Oat, which are data: URLs. No framing. */
const basePolicy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;base-uri 'none';frame-ancestors 'none'";

/** The policy of the portals' pages, the front page and the API reference. */
export const pagePolicy = `${basePolicy};form-action 'self'`;

/** The policy of /docs/try. Its renderer sets styles from its script and in attributes, and sends requests to this service. */
export const docsPolicy = `${basePolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")};form-action 'none';connect-src 'self'`;
