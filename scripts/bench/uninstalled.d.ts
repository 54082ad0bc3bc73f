// For `npm run types`, which does not need this package installed: what comes from its packages is anything.
// `npm run bench` compiles with their own types.

declare module 'autocannon';
declare module 'express-openapi-validator';
declare module 'fastify';
