import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Texts outside of docs/ that the site shows, with their places in the site. */
const others = {
  'SECURITY.md': 'reporting.md',
  'sdk/server/README.md': 'sdk/server.md',
  'sdk/browser/README.md': 'sdk/browser.md',
  'examples/corner-shop/README.md': 'sdk/corner-shop.md',
  'site/pages/api.md': 'api.md',
  'site/pages/portal-api.md': 'portal-api.md',
};

/** Whether a file stands beside the texts in docs/ and is copied as it is. */
export const isPlainFile = (path) => /\.(png|webp|svg|json|ya?ml|csv)$/.test(path);

/** The paths of all files below a folder, relative to it, with slashes. */
export const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)))
    .sort();

/** The place of a docs/ text in the site: a README is the first page of its folder. */
const placeOf = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md');

/** Each page by its source in the repository: `docs/rules/README.md` → `rules/index.md`. */
export function placesOfTexts(root) {
  const inDocs = filesBelow(join(root, 'docs')).filter((path) => path.endsWith('.md'));
  const stories = filesBelow(join(root, 'test/journeys')).filter((path) =>
    path.endsWith('.out.md'),
  );
  return new Map([
    ...inDocs.map((path) => [`docs/${path}`, placeOf(path)]),
    ...stories.map((path) => [`test/journeys/${path}`, `journeys/${path.replace('.out', '')}`]),
    ...Object.entries(others),
  ]);
}

/** The mark of a link that leads to nothing in the site: its words stay. */
const nowhere = 'nowhere:';
const withoutPlace = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(nowhere:\)/g;

/** Fenced code, and code within a line: neither is rewritten. */
const fences = /(^ *```[\s\S]*?^ *```[^\n]*$)/m;
const inline = /(`[^`\n]+`)/;

/** Rewrites what stands between the parts that `code` finds. */
const outside = (code, markdown, rewrite) =>
  markdown
    .split(code)
    .map((part, index) => (index % 2 === 1 ? part : rewrite(part)))
    .join('');

/**
 * The target of a link of `source` as a link of the site.
 * @throws when the repository has no such file
 */
function targetOf(target, { root, source, places }) {
  if (/^([a-z]+:|#|\/)/.test(target)) return target;
  const [path, ...hash] = target.split('#');
  const found = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  const end = hash.length > 0 ? `#${hash.join('#')}` : '';
  const place = places.get(found) ?? places.get(`${found}/README.md`);
  const own = posix.dirname(places.get(source));
  const relative = (to) => posix.relative(own, to).replace(/^(?!\.)/, './');
  if (place !== undefined) return relative(place) + end;
  if (!existsSync(join(root, found))) throw new Error(`${source} links to ${target}: not there`);
  if (found.startsWith('docs/') && isPlainFile(found)) return relative(found.slice(5));
  return nowhere;
}

/** A text without comments, whose links are made by `linkOf`. */
function textOf({ root, source, linkOf }) {
  const markdown = readFileSync(join(root, source), 'utf8');
  const relink = (part) =>
    part.replaceAll(/\]\(([^)\s]+)\)/g, (_, target) => {
      return `](${linkOf(target)})`;
    });
  const linked = outside(fences, markdown, (part) =>
    outside(inline, part.replaceAll(/<!--[\s\S]*?-->\n*/g, ''), relink),
  );
  return linked.replaceAll(withoutPlace, '$1');
}

/** A text as the site has it: links lead to pages of the site. */
export const siteText = ({ root, source, places }) =>
  textOf({ root, source, linkOf: (target) => targetOf(target, { root, source, places }) });

/** A text as a package has it: links lead to the pages that a service serves. */
export function packageText({ root, source }) {
  const places = placesOfTexts(root);
  const base = `https://pay.example/docs/${places.get(source)}`;
  const linkOf = (target) => {
    const found = targetOf(target, { root, source, places });
    if (!found.startsWith('.')) return found;
    return new URL(found, base).href.replace(/(\/index)?\.md(?=#|$)/, '');
  };
  return textOf({ root, source, linkOf });
}
