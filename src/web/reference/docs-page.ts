import { marked } from 'marked';
import { info } from '../../contract/published-contract.ts';
import { assetPaths, rendererPaths } from '../assets.ts';

export const { title } = info;
/** The first paragraph of the contract's description. */
export const summary = info.description?.split('\n\n')[0]?.replaceAll('\n', ' ') ?? '';

/**
 * The API reference: the contract's renderer, and the contract's description until it has loaded, or without scripts. All text is from the
 * contract.
 */
export const docsPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary} API reference with examples for curl, TypeScript, Python, PHP and MCP.">
<title>${title}: API reference</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="preload" href="/docs/reference.json" as="fetch" crossorigin>
<link rel="stylesheet" href="${assetPaths.docsStyle}">
${rendererPaths.map((path) => `<link rel="modulepreload" href="${path}">`).join('')}
<script src="${assetPaths.docs}" type="module"></script>
</head>
<body>
<div id="reference">
<article>
<h1>${title}</h1>
<p>The contract as a file: <a href="/openapi.yaml">openapi.yaml</a>. For language models: <a href="/llms.txt">llms.txt</a>.</p>
${marked.parse(info.description ?? '', { async: false })}</article>
</div>
</body>
</html>
`;
