import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { addressOf, llmsText } from './site/navigation.mjs';
import { filesBelow, isPlainFile, placesOfTexts, siteText } from './site/texts.mjs';

/** The path at which the service serves the site. */
const base = '/docs/';

const hashOf = (content) => createHash('sha256').update(content).digest('hex');

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The texts, their pictures and their data, as VitePress reads them. */
function layOut(root, pages) {
  rmSync(pages, { recursive: true, force: true });
  const places = placesOfTexts(root);
  for (const [source, place] of places)
    write(join(pages, place), siteText({ root, source, places }));
  for (const path of filesBelow(join(root, 'docs')).filter(isPlainFile)) {
    mkdirSync(dirname(join(pages, 'public', path)), { recursive: true });
    cpSync(join(root, 'docs', path), join(pages, 'public', path));
  }
  // A service that serves the site says in its place where it is.
  write(join(pages, 'public/where.json'), '{"environment":null}\n');
  return [...places.values()].sort();
}

/**
 * The script of the API reference, 3.8 MB, as site/vendor/scalar keeps it.
 * @throws when it is not the one whose hash stands there
 */
function referenceScript(root) {
  const folder = join(root, 'site/vendor/scalar');
  const { script, sha256 } = JSON.parse(readFileSync(join(folder, 'source.json'), 'utf8'));
  const text = gunzipSync(readFileSync(join(folder, script)));
  if (hashOf(text) !== sha256)
    throw new Error(`${join(folder, script)} is not what source.json says; take it anew`);
  return text;
}

/** Each page as Markdown beside its HTML, and the two files for language models. */
function writeTexts({ pages, out, places }) {
  const texts = places.map((place) => [place, readFileSync(join(pages, place), 'utf8')]);
  for (const [place, text] of texts) write(join(out, place), text);
  write(join(out, 'llms.txt'), llmsText(pages, base));
  const whole = texts.map(([place, text]) => `<!-- ${base}${place} -->\n\n${text.trim()}\n`);
  write(join(out, 'llms-full.txt'), whole.join('\n'));
}

/** The hashes of the scripts that stand in pages, for their policy (rules/docs-site#5). */
function inlineScripts(out) {
  const found = new Set();
  for (const path of filesBelow(out).filter((one) => one.endsWith('.html'))) {
    const html = readFileSync(join(out, path), 'utf8');
    for (const [, attributes, text] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g))
      if (!/\bsrc=/.test(attributes)) found.add(text);
  }
  const digest = (text) => createHash('sha256').update(text).digest('base64');
  return [...found].map((text) => `'sha256-${digest(text)}'`).sort();
}

/** The stamp of everything that the site is made of. */
function stampOf(root) {
  const folders = [
    'docs',
    'site/pages',
    'site/.vitepress/theme',
    'scripts/site',
    'web/starter',
    'web/ui/drawing',
    'web/ui/styles',
  ];
  const files = folders.flatMap((folder) =>
    filesBelow(join(root, folder)).map((path) => join(root, folder, path)),
  );
  const others = [...placesOfTexts(root).keys()].map((source) => join(root, source));
  const own = [
    'site/.vitepress/config.mjs',
    'site/vendor/scalar/source.json',
    'scripts/build_site.mjs',
    'package-lock.json',
  ];
  const all = new Set([...files, ...others, ...own.map((path) => join(root, path))]);
  const parts = [...all].sort().map((path) => `${path} ${hashOf(readFileSync(path))}\n`);
  return hashOf(parts.join(''));
}

/**
 * Builds the documentation into `dist/docs`, and `dist/docs.json`, by which the service serves it: its
 * files, its pages and the scripts in them. What is there of the same sources stays.
 * @returns the number of pages
 */
export async function buildSite({ root }) {
  const record = join(root, 'dist/docs.json');
  const stamp = stampOf(root);
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : null;
  if (before?.stamp === stamp) return before.pages.length;
  const [site, to] = [join(root, 'site'), join(root, 'dist/docs')];
  // A service that runs shows the old site until the new one is complete.
  const out = `${to}-${process.pid}`;
  const pages = join(site, '.pages');
  const places = layOut(root, pages);
  const script = referenceScript(root);
  const name = `assets/reference-${hashOf(script).slice(0, 8)}.js`;
  write(join(pages, 'public', name), script);
  process.env.SITE_REFERENCE_SCRIPT = name;
  const { build } = await import('vitepress');
  await build(site, { outDir: out });
  writeTexts({ pages, out, places });
  rmSync(pages, { recursive: true, force: true });
  const addresses = places.map((place) => `${base.slice(0, -1)}${addressOf(place)}`);
  const facts = { stamp, scripts: inlineScripts(out), pages: addresses, files: filesBelow(out) };
  rmSync(to, { recursive: true, force: true });
  renameSync(out, to);
  writeFileSync(record, `${JSON.stringify(facts, null, 2)}\n`);
  return places.length;
}

/** Clears `dist` but for the pages, the packages and the documentation, which replace themselves. */
export function clearDist(dist) {
  if (!existsSync(dist)) return;
  for (const name of readdirSync(dist).filter(
    (one) => !['docs', 'docs.json', 'packages', 'web'].includes(one),
  ))
    rmSync(join(dist, name), { recursive: true, force: true });
}
