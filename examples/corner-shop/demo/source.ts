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

/** The function that the entry of the type calls, or that of its record. */
function handlerIn(lines: readonly string[], type: string): Handler | null {
  const record = `${type.slice(0, type.indexOf('.'))}: (`;
  const entry =
    lines.find((text) => text.includes(`'${type}':`)) ??
    lines.find((text) => text.trimStart().startsWith(record));
  const name = /=> (\w+)\(/.exec(entry ?? '')?.[1];
  const at = lines.findIndex((text) => text.startsWith(`function ${name}(`));
  if (at < 0) return null;
  const end = lines.indexOf('}', at);
  return { file, line: at + 1, text: lines.slice(at, end + 1).join('\n') };
}
