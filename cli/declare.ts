import type { Command } from 'commander';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** A flag, what it means, and whether it must or may be given more than once. */
export type Flag = readonly [flag: string, meaning: string, need?: 'required' | 'repeated'];

export const baseUrl: Flag = ['--base-url <url>', 'the service to call, over HTTP'];
export const json: Flag = ['--json', 'print one line of JSON'];
export const ofTenant: Flag = ['--tenant <id>', 'work on this tenant in the database'];
export const needsTenant: Flag = ['--tenant <id>', 'the tenant', 'required'];

/** A group of commands declares itself by this. */
export interface Declaration {
  readonly terminal: Terminal;
  readonly root: Command;
  /** Gives a command its flags. @param run with the flags, its parents' too, and with what is no flag */
  fill<Options extends object>(
    command: Command,
    flags: readonly Flag[],
    run?: (options: Options, args: readonly string[]) => ExitCode | Promise<ExitCode>,
  ): Command;
  /** The same for a new command below another. */
  add<Options extends object>(
    parent: Command,
    name: string,
    description: string,
    flags: readonly Flag[],
    run?: (options: Options, args: readonly string[]) => ExitCode | Promise<ExitCode>,
  ): Command;
}

const collected = (value: string, before: readonly string[] = []) => [...before, value];

/** @param done takes the exit code of the command that ran */
export function declaration(
  terminal: Terminal,
  root: Command,
  done: (code: ExitCode) => void,
): Declaration {
  const fill: Declaration['fill'] = (command, flags, run) => {
    for (const [flag, meaning, need] of flags) {
      if (need === 'required') command.requiredOption(flag, meaning);
      else if (need === 'repeated') command.option(flag, meaning, collected);
      else command.option(flag, meaning);
    }
    // A flag that a command shares with its parent is parsed by the parent, wherever it is given.
    if (run) command.action(async () => done(await run(command.optsWithGlobals(), command.args)));
    return command;
  };
  return {
    terminal,
    root,
    fill,
    add: (parent, name, description, flags, run) =>
      fill(parent.command(name).description(description), flags, run),
  };
}

/** Prints the answer as one line of JSON, or in words. */
export function print(
  terminal: Terminal,
  { json }: { readonly json?: true },
  answer: object,
  words: readonly string[],
): ExitCode {
  for (const line of json ? [JSON.stringify(answer)] : words) terminal.out(line);
  return exitCodes.done;
}
