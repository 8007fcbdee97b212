import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside `main.js` in `dist/`, where the build copies the texts; else at the repository's root. */
const places = ['./docs/', '../../../docs/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const rootOf = () => places.find((place) => existsSync(join(place, 'guide')));

/** The shelves in the order shown: folders of docs/, and the README of each SDK. */
export const shelves = ['guide', 'sdk', 'rules', 'reference'] as const;
const sdks = ['browser', 'server'];
export type Shelf = (typeof shelves)[number];

/** One page in Markdown. */
export interface DocText {
  readonly shelf: Shelf;
  /** `first-hour`. */
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
  readonly markdown: string;
  /** Its path in the repository; its links are relative to it. */
  readonly source: string;
}

/** Every page by its key, such as `guide/first-hour`. */
export type DocTexts = ReadonlyMap<string, DocText>;

type Place = Pick<DocText, 'shelf' | 'name' | 'source'> & { readonly file: string };

async function readText({ file, ...place }: Place): Promise<DocText> {
  const markdown = await readFile(file, 'utf8');
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? place.name;
  return { ...place, title, markdown };
}

function placesOf(root: string, shelf: Shelf): Place[] {
  const folder = join(root, shelf);
  const inFolder = (name: string) => join(folder, `${name}.md`);
  if (shelf === 'sdk') {
    const isBuilt = existsSync(folder);
    return sdks.map((name) => {
      const source = `sdk/${name}/README.md`;
      return { shelf, name, source, file: isBuilt ? inFolder(name) : join(root, '..', source) };
    });
  }
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const names = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
  return names.map((name) => {
    return { shelf, name, source: `docs/${shelf}/${name}.md`, file: inFolder(name) };
  });
}

/** Pictures of the guides. */
const pictures = 'guide/pictures';

/** A picture by its file name; null: there is none. */
export async function readPicture(name: string): Promise<Buffer | null> {
  const root = rootOf();
  if (root === undefined || !/^[a-z0-9-]+\.png$/.test(name)) return null;
  const path = join(root, pictures, name);
  return existsSync(path) ? readFile(path) : null;
}

/** Reads the pages of this release; none when they were not built into it. */
export async function readDocTexts(): Promise<DocTexts> {
  const root = rootOf();
  if (root === undefined) return new Map();
  const texts = await Promise.all(shelves.flatMap((shelf) => placesOf(root, shelf)).map(readText));
  return new Map(texts.map((text) => [`${text.shelf}/${text.name}`, text]));
}
