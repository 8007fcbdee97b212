import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '@tenant-payments/engine/once.ts';

/** Fonts for letters that the standard fonts of PDF lack; they come from npm (rules/reports#26). */

const { resolve } = createRequire(import.meta.url);

/** A release has the fonts beside its programs, and no packages. */
const ofRelease = fileURLToPath(new URL('./fonts/', import.meta.url));
const pathOf = (path: string): string =>
  existsSync(ofRelease) ? join(ofRelease, path) : resolve(path);

/** A font, or the part of one that has some of its letters: `dejavu-sans`, `noto-sans-sc-110`. */
export interface FontFile {
  readonly name: string;
  /** Relative to the text around it. */
  readonly scale: number;
  /** By how much its strokes are thickened, in parts of its size: a variable font is embedded as its thinnest. */
  readonly stroke: number;
  readonly path: string;
}

/** Latin with all its marks, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. */
export const wide: FontFile = {
  name: 'dejavu-sans',
  scale: 0.92,
  stroke: 0,
  path: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2',
};

/** Chinese characters and kana, then Hangul. */
const inParts = ['noto-sans-sc', 'noto-sans-kr'];

interface Part {
  readonly from: number;
  readonly to: number;
  readonly file: FontFile;
}

/** `U+4e00-4e0f` of `[110]`: a span of code points, and the file with their letters. */
function partsOf(family: string, [key, spans]: [string, string]): Part[] {
  const number = /^\[(\d+)\]$/.exec(key)?.[1];
  // The others have the letters that the wide font has.
  if (number === undefined) return [];
  const name = `${family}-${number}`;
  const path = `@fontsource-variable/${family}/files/${name}-wght-normal.woff2`;
  const file = { name, scale: 1, stroke: 0.045, path };
  return spans.split(',').map((span) => {
    const [from = '', to = from] = span.replace('U+', '').split('-');
    return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), file };
  });
}

async function readParts(family: string): Promise<Part[]> {
  const list = await readFile(pathOf(`@fontsource-variable/${family}/unicode.json`), 'utf8');
  return Object.entries<string>(JSON.parse(list)).flatMap((entry) => partsOf(family, entry));
}

const known = once(async () => (await Promise.all(inParts.map(readParts))).flat());

/** The files that may have a letter, the first first. */
export async function filesFor(letters: Iterable<string>): Promise<readonly FontFile[]> {
  const parts = await known();
  const found = new Set([wide]);
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0;
    for (const { from, to, file } of parts) if (code >= from && code <= to) found.add(file);
  }
  return [...found];
}

const opened = new Map<string, Buffer>();
let last: Promise<unknown> = Promise.resolve();

async function decompressed({ path }: FontFile): Promise<Buffer> {
  const { default: woff2 } = await import('wawoff2');
  const file = await readFile(pathOf(path));
  // One at a time, and copied at once: its result is a view of memory that the next one writes.
  const next = last.then(async () => Buffer.from(await woff2.decompress(file)));
  last = next.catch(() => {});
  return next;
}

/** The font as TrueType, decompressed once in a process. */
export async function bytesOf(file: FontFile): Promise<Buffer> {
  const bytes = opened.get(file.name) ?? (await decompressed(file));
  opened.set(file.name, bytes);
  return bytes;
}
