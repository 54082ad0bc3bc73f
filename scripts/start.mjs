// npm start: builds what is stale, then serves, in one process.
import { existsSync } from 'node:fs';
import { build, replaced } from './build.mjs';

await build(true);
if (existsSync(replaced) && process.env.NODE_ENV !== 'production')
  await import(new URL('../dist/scripts/follow-replaced.js', import.meta.url));
await import(new URL('../dist/src/main.js', import.meta.url));
