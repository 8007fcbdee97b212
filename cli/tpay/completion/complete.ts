import type { Command, Option } from 'commander';
import { type ExitCode, exitCodes } from '../../terminal.ts';
import type { Console, Options } from '../options.ts';
import { argumentsOf, valuesOf } from './ids.ts';

/** The place that the words before the last one lead to. */
interface Place {
  readonly command: Command;
  /** The names of the commands, without the first. */
  readonly path: readonly string[];
  readonly before: readonly string[];
  /** The flag that wants a value now. */
  readonly open: Option | null;
  readonly options: Options;
}

const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...(command.parent ? optionsOf(command.parent) : []),
];

/** @param load declares what is below a first word */
async function placeOf(
  root: Command,
  load: (command: Command) => Promise<void>,
  words: readonly string[],
): Promise<Place> {
  let command = root;
  let open: Option | null = null;
  const path: string[] = [];
  const before: string[] = [];
  const options: Record<string, string> = {};
  for (const word of words) {
    if (open) {
      options[open.attributeName()] = word;
      open = null;
      continue;
    }
    const below = command.commands.find((each) => each.name() === word);
    if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      open = option?.required ? option : null;
    } else if (below && before.length === 0) {
      if (command === root) await load(below);
      command = below;
      path.push(word);
    } else before.push(word);
  }
  return { command, path, before, open, options: options as Options };
}

async function candidates(
  terminal: Console,
  place: Place,
  last: string,
): Promise<readonly string[]> {
  const { command, path, before, open, options } = place;
  if (open) return valuesOf(terminal, options, path, open.long ?? '');
  if (last.startsWith('-'))
    return [...optionsOf(command).flatMap(({ long }) => (long ? [long] : [])), '--help'];
  const names = before.length === 0 ? command.commands.map((each) => each.name()) : [];
  if (
    command.registeredArguments.length <= before.length &&
    !command.registeredArguments.at(-1)?.variadic
  )
    return names;
  return [...names, ...(await argumentsOf(terminal, options, path, before))];
}

/** `__complete`: what may stand in the place of the last word, a line for each (rules/tpay#22). */
export async function complete(
  terminal: Console,
  root: Command,
  load: (command: Command) => Promise<void>,
  words: readonly string[],
): Promise<ExitCode> {
  const last = words.at(-1) ?? '';
  try {
    const place = await placeOf(root, load, words.slice(0, -1));
    const found = await candidates(terminal, place, last);
    for (const word of new Set(found)) if (word.startsWith(last)) terminal.out(word);
  } catch {
    // A fault would stand in the middle of what somebody types.
  }
  return exitCodes.done;
}
