import { readFileSync } from 'node:fs';
import type { Handler } from './state.ts';

/** The shop's webhook handlers, as the inspector shows them. */

const file = 'server/webhooks.ts';

/**
 * Finds the handler of an event type in the shop's source, up to its closing line; null where the
 * till has none, or where the source is not there.
 * @param folder of the shop
 */
export function sourceReader(folder: URL): (type: string) => Handler | null {
  let lines: readonly string[] | null = null;
  const read = (): readonly string[] => {
    try {
      return readFileSync(new URL(file, folder), 'utf8').split('\n');
    } catch {
      return [];
    }
  };
  return (type) => {
    lines ??= read();
    return handlerIn(lines, type);
  };
}

function handlerIn(lines: readonly string[], type: string): Handler | null {
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
