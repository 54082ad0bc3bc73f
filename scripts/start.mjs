// npm start: builds what is stale, then serves, in one process.
import { build } from './build.mjs';

await build(true);
await import(new URL('../dist/src/main.js', import.meta.url));
