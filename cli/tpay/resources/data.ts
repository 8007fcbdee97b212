import { UsageError } from '../../terminal.ts';
import { textOf } from '../given.ts';
import type { Console, Options } from '../options.ts';

type Values = Record<string, unknown>;

/** `--data`: an object as text, `@file`, or `-` for standard input. */
export async function readData(terminal: Console, options: Options, data: string): Promise<Values> {
  const text = await textOf(terminal, options, data, '--data @body.json');
  const hint = `Give an object of JSON: --data '{"amount":450}', --data @body.json, or --data -`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('--data is not JSON', hint);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  throw new UsageError('--data is not an object', hint);
}

/** `amount=450` is a number, as all that is JSON; anything else is text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `--set collection_point.name=Till`: sets what is deep within. @throws UsageError */
export function setAll(values: Values, settings: readonly string[]): Values {
  const whole = structuredClone(values);
  for (const setting of settings) {
    const [, path = '', text = ''] = /^([a-z0-9_.]+)=(.*)$/s.exec(setting) ?? [];
    const names = path.split('.');
    if (names.some((name) => name === '' || name === '__proto__'))
      throw new UsageError(`--set ${setting} is not path=value`, 'As in: --set amount=450');
    const last = names.pop() ?? '';
    let at: Values = whole;
    for (const name of names) {
      if (typeof at[name] !== 'object' || at[name] === null) at[name] = {};
      at = at[name] as Values;
    }
    at[last] = jsonOrText(text);
  }
  return whole;
}
