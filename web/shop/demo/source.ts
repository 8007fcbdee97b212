import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Handler } from './state.ts';

/** The shop's webhook handlers as their source has them. */

const file = 'web/shop/server/webhooks.ts';

/** Beside the sources, or in the folder above the bundle. */
function sourceLines(): readonly string[] {
  for (const path of ['../server/webhooks.ts', `../${file}`])
    try {
      return readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8').split('\n');
    } catch {
      // It is the other.
    }
  return [];
}

let lines: readonly string[] | null = null;

/** Where the handler of an event type stands, to the line that closes it; null where it has none. */
export function sourceOf(type: string): Handler | null {
  lines ??= sourceLines();
  const entry = lines.findIndex((text) => text.trimStart().startsWith(`'${type}':`));
  const name = /: (\w+),$/.exec(lines[entry] ?? '')?.[1];
  const at = name ? lines.findIndex((text) => text.startsWith(`function ${name}(`)) : entry;
  const first = lines[at];
  if (first === undefined) return null;
  const indent = /^ */.exec(first)?.[0] ?? '';
  const isOpen = first.endsWith('{');
  const end = isOpen ? lines.findIndex((text, i) => i > at && text.startsWith(`${indent}}`)) : at;
  const text = lines.slice(at, end + 1).map((line) => line.slice(indent.length));
  return { file, line: at + 1, text: text.join('\n') };
}
