import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside `main.js` in `dist/`, where the build puts them; also when run from the sources. */
const places = ['./web/', '../../../dist/web/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** A page's script and style, by the names under which they are served. */
export interface PageAssets {
  readonly script: string;
  readonly style: string | null;
}

interface Manifest {
  readonly flows: PageAssets;
  readonly sign_in: PageAssets;
  readonly portal: PageAssets;
  readonly console: PageAssets;
  readonly sdk: { readonly script: string; readonly integrity: string };
}

/** The files that the build made for browsers, in memory: a few hundred kilobytes. */
export interface WebAssets {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** @throws one line when the pages were not built */
export async function readWebAssets(): Promise<WebAssets> {
  const root = places.find((place) => existsSync(join(place, 'manifest.json')));
  if (root === undefined) throw new Error('the pages are not built; run: npm run build');
  const names = (await readdir(root)).filter((name) => /\.(js|css)$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(root, name))] as const),
  );
  const manifest = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8')) as Manifest;
  return { manifest, files: new Map(files) };
}
