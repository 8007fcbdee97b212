import { exitCodes, UsageError } from '../../terminal.ts';
import type { Declare } from '../family.ts';
import { oneOf } from '../nearest.ts';
import type { Options } from '../options.ts';
import { howTo, shellNames, shells } from './scripts.ts';

/** `completion`: the script of a shell on standard output; how it is kept on standard error. */
export const declareCompletion: Declare = ({ terminal, fill }, command) => {
  fill<Options>(command, [], (_, [name]) => {
    const all = `Give ${shellNames.join(', ')}.`;
    if (name === undefined) throw new UsageError('completion needs the name of a shell', all);
    const shell = oneOf('a shell', name, shellNames, all);
    terminal.out(shells[shell].trimEnd());
    terminal.err(`hint: Keep it with: ${howTo[shell]}`);
    return exitCodes.done;
  });
};
