import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Builds `dist/page.js`, `dist/page.css` and the files of its font, which the shop's server sends to browsers. */
export const buildPage = () =>
  build({
    absWorkingDir: fileURLToPath(new URL('./', import.meta.url)),
    entryPoints: { page: 'page/main.tsx' },
    outdir: 'dist',
    loader: { '.woff2': 'file' },
    assetNames: '[name]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
