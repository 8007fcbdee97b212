import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside `main.js` in `dist/`, where the build copies it; in the sources at the repository's root. */
const places = ['./docs/', '../../docs/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The folders that are shown, in this order. */
export const shelves = ['guide', 'reference'] as const;
export type Shelf = (typeof shelves)[number];

/** One page in Markdown. */
export interface DocText {
  readonly shelf: Shelf;
  /** `first-hour`. */
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
  readonly markdown: string;
}

/** Every page of the guides and of the reference, by `guide/first-hour`. */
export type DocTexts = ReadonlyMap<string, DocText>;

async function readText(folder: string, shelf: Shelf, file: string): Promise<DocText> {
  const markdown = await readFile(join(folder, file), 'utf8');
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
  return { shelf, name: file.replace(/\.md$/, ''), title, markdown };
}

/** Reads the pages that came with this release; none where they did not come along. */
export async function readDocTexts(): Promise<DocTexts> {
  const root = places.find((place) => existsSync(join(place, 'guide')));
  if (root === undefined) return new Map();
  const texts = await Promise.all(
    shelves.flatMap((shelf) => {
      const folder = join(root, shelf);
      const files = existsSync(folder) ? readdirSync(folder).sort() : [];
      const pages = files.filter((file) => file.endsWith('.md'));
      return pages.map((file) => readText(folder, shelf, file));
    }),
  );
  return new Map(texts.map((text) => [`${text.shelf}/${text.name}`, text]));
}
