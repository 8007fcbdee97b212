import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside `main.js` in `dist/`, where the build puts it; also when run from the sources. */
const places = ['./', '../../../dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The record that `scripts/build_site.mjs` writes of the site. */
interface Record {
  /** The sources of the policy's `script-src` for what stands in pages. */
  readonly scripts: readonly string[];
  /** Paths in the site, with slashes. */
  readonly files: readonly string[];
}

export interface SiteFile {
  /** In the site: `guide/quickstart.html`. */
  readonly path: string;
  readonly content: Buffer;
  /** The tag of its bytes, in quotes. */
  readonly etag: string;
}

/** The documentation as the build wrote it. */
export interface Site {
  readonly scripts: readonly string[];
  has(path: string): boolean;
  /** Null: there is no such file. */
  read(path: string): Promise<SiteFile | null>;
  /** The scripts and styles that pages name, by their paths. */
  assets(): Promise<ReadonlyMap<string, Buffer>>;
}

export const etagOf = (content: Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** @throws one line when the documentation was not built */
export async function readSite(): Promise<Site> {
  const root = places.find((place) => existsSync(join(place, 'docs.json')));
  if (root === undefined) throw new Error('the documentation is not built; run: npm run build');
  const { scripts, files } = JSON.parse(await readFile(join(root, 'docs.json'), 'utf8')) as Record;
  // Only what the build wrote is a path: nothing that is asked for reaches the disk otherwise.
  const known = new Set(files);
  const contentOf = (path: string) => readFile(join(root, 'docs', path));
  return {
    scripts,
    has: (path) => known.has(path),
    async read(path) {
      if (!known.has(path)) return null;
      const content = await contentOf(path);
      return { path, content, etag: etagOf(content) };
    },
    async assets() {
      const paths = files.filter((path) => /^assets\/.*\.(js|css|woff2)$/.test(path));
      return new Map(
        await Promise.all(paths.map(async (path) => [path, await contentOf(path)] as const)),
      );
    },
  };
}
