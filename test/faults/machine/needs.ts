import { existsSync } from 'node:fs';

/** Debian's library by which a process sees another time. */
export const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** What the proof needs of its machine, and is not there. */
export const missing = (): string[] => [
  ...(existsSync(faketime) ? [] : ['faketime']),
  ...(process.getuid?.() === 0 ? [] : ['root']),
];
