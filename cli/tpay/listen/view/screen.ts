import type { Console } from '../../options.ts';
import type { Screen } from '../../screen.ts';
import { readKeys } from '../keys.ts';

/** The screen of this process; null: it has none, or one that cannot be moved about in. */
export function openScreen({ ask, env }: Console): Screen | null {
  const { stdout } = process;
  if (!ask || !stdout.isTTY || !env.TERM || env.TERM === 'dumb') return null;
  return {
    write: (text) => void stdout.write(text),
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize(listener) {
      stdout.on('resize', listener);
      return () => void stdout.off('resize', listener);
    },
    readKeys,
  };
}
