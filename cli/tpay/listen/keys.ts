import { emitKeypressEvents } from 'node:readline';
import type { Keys } from '../screen.ts';

/** Reads single keys where somebody sits there. @returns what ends it */
export function readKeys(keys: Keys): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  const pressed = (_: string, key: { readonly name?: string; readonly ctrl?: boolean }) => {
    if (key.ctrl && key.name === 'c') process.kill(process.pid, 'SIGINT');
    else keys[key.name ?? '']?.();
  };
  stdin.on('keypress', pressed);
  return () => {
    stdin.off('keypress', pressed);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
