import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, contentsOf } from './navigation.mjs';

/** `[words](page.md)`, or with a picture as its words. */
const link = /\[([^\][]+)\]\(([^)\s]+\.md)\)/g;
const picture = /\[!\[([^:\]]+): ([^\]]+)\]\(([^)\s]+)\)\]\(([^)\s]+\.md)\)/g;
/** A door: `- **Integrate**, with an API …: [first](a.md), [second](b.md), [third](c.md)`. */
const door = /^- \*\*(.+?)\*\*, ([^:]+):((?:.|\n(?! *[-\n]))+)/gm;

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const pathOf = (target) => addressOf(target.replace(/^\.\//, ''));
const linksIn = (text) =>
  [...text.matchAll(link)].map(([, words, target]) => ({ text: words, link: pathOf(target) }));

/**
 * The parts of `docs/README.md` as the first page of the site shows them: a code host shows the same as a text.
 * @param pages the folder of the site's texts @param drawn a Mermaid diagram as HTML
 * @throws when one of them is not there
 */
export function frontOf(pages, drawn) {
  const markdown = readFileSync(join(pages, 'index.md'), 'utf8');
  const [head = ''] = markdown.split(/^## /m);
  const [, title, about] = /^# (.+)\n\n((?:.+\n)+)/.exec(head) ?? [];
  const [, command] = /```sh\n(.+)\n```/.exec(head) ?? [];
  const [, source] = /```mermaid\n([\s\S]*?)```/.exec(head) ?? [];
  const doors = [...head.matchAll(door)].map(([, name, what, links]) => ({
    name,
    what: capital(what),
    links: linksIn(links),
  }));
  const pictures = [...head.matchAll(picture)].map(([, name, what, src, target]) => ({
    name,
    what: capital(what),
    light: `/${src.replace(/^\.\//, '')}`,
    dark: `/${src.replace(/^\.\//, '').replace('.light.', '.dark.')}`,
    link: pathOf(target),
  }));
  if (!about || !command || !source || doors.length !== 3 || pictures.length === 0)
    throw new Error('docs/README.md: a part of the first page is not there');
  // Its first sentence, up to what it counts.
  const [sentence] = about.replaceAll('\n', ' ').split(/[.:](?: |$)/);
  const lead = capital(sentence.replace(`${title} is `, ''));
  const sections = contentsOf(markdown).map(({ title: name, items }) => ({
    name,
    links: items.map(({ text, path }) => ({ text, link: pathOf(path) })),
  }));
  const whole = drawn(source, 'application, platform, bank and customer');
  return { title, lead: `${lead}.`, command, doors, pictures, sections, whole };
}
