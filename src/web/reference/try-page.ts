import { assetPaths, rendererPaths } from '../assets.ts';
import { title } from './docs-page.tsx';

/** The page on which the API's operations can be tried. It is separate from /docs because the renderer that it loads is large. */
export const tryPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="description" content="Send requests to the sandbox of ${title}, and see what it answers.">
<title>${title}: try it</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="preload" href="/docs/reference.json" as="fetch" crossorigin>
<link rel="stylesheet" href="${assetPaths.docsStyle}">
${rendererPaths.map((path) => `<link rel="modulepreload" href="${path}">`).join('')}
<script src="${assetPaths.docs}" type="module"></script>
</head>
<body>
<div id="reference">
<article>
<h1>${title}: try it</h1>
<p>This page needs JavaScript. The <a href="/docs">API reference</a> does not.</p>
</article>
</div>
</body>
</html>
`;
