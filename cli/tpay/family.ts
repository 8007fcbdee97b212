import type { Command } from 'commander';
import type { Declaration } from '../declare.ts';

/** Declares the commands below a first word, or what the word itself does. */
export type Declare = (declaration: Declaration, command: Command) => void;

/** A first word of the command line; what is behind it is loaded when it is called. */
export interface Family {
  readonly about: string;
  /** The argument behind it where it has no commands below: `<id>`. */
  readonly takes?: string;
  readonly load: () => Promise<Declare>;
}
