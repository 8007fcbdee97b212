import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first link of a line, and what is said after it: `- [words](page.md): what it is`. */
const entry = /^(?:- |\| *)\[([^\]]+)\]\(([^)\s]+\.md)\)(?:: *| *\| *)?([^|\n]*)/;

/**
 * The list of a page of contents, under its headings. The lists of `docs/README.md`, of the folders and of the errors
 * are the navigation of the site, and what a reader of the repository sees.
 * @returns `{title, items: {text, path, about}[]}[]`, the first without a title; `path` as the page writes it
 */
export function contentsOf(markdown) {
  const sections = [{ title: '', items: [] }];
  for (const line of markdown.split('\n')) {
    const [, title] = /^## (.+)$/.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, items: [] });
    const [, text, path, about = ''] = entry.exec(line) ?? [];
    if (text !== undefined) sections.at(-1).items.push({ text, path, about: about.trim() });
  }
  return sections.filter(({ items }) => items.length > 0);
}

/** The address of a place in the site: `rules/index.md` → `/rules/`. */
export const addressOf = (place) =>
  `/${place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;

const readContents = (pages, place) => contentsOf(readFileSync(join(pages, place), 'utf8'));

const folderOf = (place) => place.slice(0, place.lastIndexOf('/') + 1);

/** The sections of a page that lists others, such as the README of a folder, with the way back. */
function listBar(pages, place, title) {
  const sections = readContents(pages, place).map((section) => ({
    text: section.title || title,
    items: section.items.map(({ text, path }) => ({
      text,
      link: addressOf(`${folderOf(place)}${path.replace(/^\.\//, '')}`),
    })),
  }));
  return [
    { text: 'All documentation', link: '/' },
    { text: title, link: addressOf(place) },
    ...sections,
  ];
}

/** The bar at the side of each part of the site. @param pages the folder of the site's texts */
export function sidebars(pages) {
  const main = readContents(pages, 'index.md').map(({ title, items }) => ({
    text: title,
    items: items.map(({ text, path }) => ({
      text,
      link: addressOf(path.replace(/^\.\//, '')),
    })),
  }));
  return {
    '/rules/': listBar(pages, 'rules/index.md', 'Rules'),
    '/reference/errors/': listBar(pages, 'reference/errors.md', 'Errors'),
    '/': main,
  };
}

/** `llms.txt`: the pages by section, each as Markdown with one line about it. */
export function llmsText(pages, base) {
  const markdown = readFileSync(join(pages, 'index.md'), 'utf8');
  const [about = ''] = markdown.replace(/^# .*\n+/, '').split('\n\n');
  const parts = [
    ['', 'index.md'],
    ['Rules: ', 'rules/index.md'],
    ['Errors: ', 'reference/errors.md'],
  ].flatMap(([before, place]) =>
    readContents(pages, place).map(({ title, items }) => {
      const folder = folderOf(place);
      const lines = items.map(({ text, path, about: said }) => {
        const end = said === '' ? '' : `: ${said}`;
        return `- [${text}](${base}${folder}${path.replace(/^\.\//, '')})${end}`;
      });
      return `## ${before}${title || 'all'}\n\n${lines.join('\n')}\n`;
    }),
  );
  return `# Tenant Payments\n\n> ${about.replaceAll('\n', ' ')}\n\n${parts.join('\n')}`;
}
