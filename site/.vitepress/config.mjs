import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { defineConfig } from 'vitepress';
import { iconOf } from '../../contract/core/mark.ts';
import { openHighlighter, takesValues } from '../../scripts/site/code.mjs';
import { frontOf } from '../../scripts/site/front.mjs';
import { extendMarkdown, figureOf, slugOf } from '../../scripts/site/markdown.mjs';
import { sidebars } from '../../scripts/site/navigation.mjs';
import { operationsHtml } from '../../scripts/site/operations.mjs';
import { tokensFile, tokensUnder } from '../../scripts/tokens.mjs';

// As scripts/build_site.mjs has laid them out.
const pages = fileURLToPath(new URL('../.pages', import.meta.url));

/** Before all other scripts, so that none of them dies where a browser stores nothing. */
const standIn = buildSync({
  entryPoints: [fileURLToPath(new URL('../../web/starter/storage_alone.ts', import.meta.url))],
  bundle: true,
  minify: true,
  target: 'chrome109',
  write: false,
}).outputFiles[0].text.trim();

const readJson = (path) => JSON.parse(readFileSync(`${pages}/public/${path}`, 'utf8'));

const search = {
  provider: 'local',
  options: {
    _render(markdown, env, md) {
      const html = md.render(markdown, env);
      if (env.relativePath !== 'api.md') return html;
      return html + operationsHtml(readJson('reference/openapi.json'));
    },
    miniSearch: { searchOptions: { fuzzy: 0.15, prefix: true, boost: { title: 4, text: 1 } } },
  },
};

/** The pages that show an OpenAPI document, with its file in `reference/`. */
const documents = { 'api.md': 'openapi', 'portal-api.md': 'portal.openapi' };

export default defineConfig({
  base: '/docs/',
  srcDir: '.pages',
  cleanUrls: true,
  title: 'Tenant Payments',
  description: 'How to use, run and check Tenant Payments',
  // The switch would be a style element, which the policy forbids.
  appearance: { disableTransition: false },
  // One file, which browsers keep, instead of a script in each page.
  metaChunk: true,
  // A reader follows few of the links of a page.
  router: { prefetchLinks: false },
  head: [
    ['script', {}, standIn],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: iconOf('production') }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath === 'index.md') {
      const front = frontOf(pages, figureOf);
      return { frontmatter: { ...frontmatter, layout: 'front', sidebar: false, front } };
    }
    const reference = documents[relativePath];
    if (reference)
      return { frontmatter: { ...frontmatter, layout: 'reference', sidebar: false, reference } };
    if (takesValues(readFileSync(`${pages}/${relativePath}`, 'utf8')))
      return { frontmatter: { ...frontmatter, takesValues: true } };
  },
  markdown: {
    // Texts hold no markup, no bare links, no attributes in braces.
    html: false,
    linkify: false,
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    highlight: await openHighlighter(),
    config: extendMarkdown,
  },
  themeConfig: {
    logo: iconOf('production'),
    nav: [
      { text: 'Guides', link: '/' },
      { text: 'API', link: '/api' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Rules', link: '/rules/' },
    ],
    sidebar: sidebars(pages),
    outline: [2, 3],
    search,
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: {
    // Readers choose light or dark by the class that the site sets.
    plugins: [
      {
        name: 'chosen-scheme',
        enforce: 'pre',
        transform: (css, id) => (tokensFile.test(id) ? tokensUnder(css, '.dark') : undefined),
      },
    ],
    logLevel: 'warn',
    define: { __REFERENCE_SCRIPT__: JSON.stringify(process.env.SITE_REFERENCE_SCRIPT ?? '') },
    // As the hosted pages.
    build: { target: ['chrome109', 'firefox115', 'safari16.4'], chunkSizeWarningLimit: 5_000 },
  },
});
