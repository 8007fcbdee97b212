import { writeSync } from 'node:fs';

/**
 * Tells whoever waits at the command line what is done now: `cli/script.ts` names its standard error in
 * OPERATE_PROGRESS_FD. Nothing where something else runs an operation.
 */
export function progress(line: string): void {
  const { OPERATE_PROGRESS_FD: descriptor } = process.env;
  if (descriptor !== undefined) writeSync(Number(descriptor), `${line}\n`);
}
