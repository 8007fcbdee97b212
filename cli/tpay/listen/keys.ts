import { emitKeypressEvents } from 'node:readline';

/** What a key does; Ctrl-C ends as ever. */
export type Keys = Readonly<Record<string, () => void>>;

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
