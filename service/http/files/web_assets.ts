import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '@tenant-payments/engine/once.ts';
import { type KeptFiles, openKeptFiles } from './kept_files.ts';

/** Beside `main.js` in `dist/`, where the build puts them; also when run from the sources. */
const places = ['./web/', '../../../dist/web/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** A page's script and style, by the names under which they are served. */
interface Names {
  readonly script: string;
  readonly style: string | null;
}

interface Manifest {
  readonly flows: Names;
  readonly sign_in: Names;
  readonly portal: Names;
  readonly console: Names;
  readonly sdk: { readonly script: string; readonly version: string; readonly integrity: string };
  /** The font of every page, by the name under which it is served. */
  readonly font: string;
  /** The text of a script that stands in each page. */
  readonly starter: string;
}
type PageName = 'flows' | 'sign_in' | 'portal' | 'console';

/** The files of a page. */
export interface PageAssets extends Names {
  readonly starter: string;
  readonly font: string;
}

interface Built {
  readonly manifest: Manifest;
  /** A few hundred kilobytes. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** @throws one line when the pages were not built */
async function readBuilt(): Promise<Built> {
  const root = places.find((place) => existsSync(join(place, 'manifest.json')));
  if (root === undefined) throw new Error('the pages are not built; run: npm run build');
  const names = (await readdir(root)).filter((name) => /\.(js|css|woff2)$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(root, name))] as const),
  );
  const manifest = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8')) as Manifest;
  return { manifest, files: new Map(files) };
}

/** The files that the build made for browsers, and those of the releases beside this one. */
export interface WebAssets extends Pick<KeptFiles, 'find' | 'keeping'> {
  /** The files that a page names. Once this has resolved every process can serve it. */
  of(page: PageName): Promise<PageAssets>;
  /** The browser SDK; every process can serve it. */
  sdk(): Promise<Manifest['sdk']>;
  /** A file of this release or of another one; null: there is none of this name. */
  file(name: string): Promise<Buffer | null>;
}

export function openWebAssets(service: Parameters<typeof openKeptFiles>[0]): WebAssets {
  const { find, keeping } = openKeptFiles(service);
  const built = once(readBuilt);
  const keep = keeping(async () => (await built()).files);
  async function shown(): Promise<Manifest> {
    const { manifest } = await built();
    await keep();
    return manifest;
  }
  return {
    find,
    keeping,
    async of(page) {
      const { starter, font, [page]: names } = await shown();
      return { script: names.script, style: names.style, starter, font };
    },
    sdk: async () => (await shown()).sdk,
    file: async (name) => (await built()).files.get(name) ?? find(name),
  };
}
