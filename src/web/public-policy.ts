/** Our own files and nothing else. `connectSrc` for scripts that call the service. */
export const publicPolicy = (connectSrc: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pico draws its icons with data: addresses.
    "img-src 'self' data:",
    `connect-src ${connectSrc}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
