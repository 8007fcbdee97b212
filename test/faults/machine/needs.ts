import { existsSync } from 'node:fs';

/** Debian's library by which a process sees another time. */
export const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** The needs of the proof that its machine lacks. */
export const missing = (): string[] => [
  ...(existsSync(faketime) ? [] : ['faketime']),
  ...(process.getuid?.() === 0 ? [] : ['root']),
];
