import { answering } from './answering.ts';
import type { Duty } from './duty.ts';
import { handling } from './handling.ts';
import { signature } from './signature.ts';

/** Every duty of a receiver; what a duty needs stands before it. */
export const duties: readonly Duty[] = [...answering, ...signature, ...handling];
