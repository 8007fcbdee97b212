/** A part of a regular expression. `one` takes exactly one character; `source` is as it was written. */
export type Part =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'edge'; readonly source: string }
  | { readonly kind: 'same'; readonly group: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly options: readonly Part[] }
  | { readonly kind: 'group'; readonly group: number; readonly body: Part }
  | { readonly kind: 'look'; readonly behind: boolean; readonly not: boolean; readonly body: Part }
  | Repeat;

export interface Repeat {
  readonly kind: 'repeat';
  readonly body: Part;
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
  /** The captures inside, which each turn empties: from the first to before the last. */
  readonly groups: readonly [number, number];
}

const edge = /\^|\$|\\b|\\B/y;
const same = /\\([1-9])(?!\d)/y;
const open = /\((?!\?)|\(\?(?:[:=!]|<[=!])/y;
const one =
  /\[(?:\\.|[^\]\\])*\]|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x..|\\p\{\w+\}|\\[^kc]|[^()|*+?\\]/isuy;
const times = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\?)?/y;

/** Reads a pattern into its parts. Syntax that no pattern of ours uses, such as named groups, throws. */
export function partsOf(source: string): Part {
  let at = 0;
  let groups = 1;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  };

  function choice(): Part {
    const options = [sequence()];
    while (source[at] === '|') {
      at++;
      options.push(sequence());
    }
    const [only] = options;
    return only && options.length === 1 ? only : { kind: 'choice', options };
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated());
    return { kind: 'sequence', parts };
  }

  function repeated(): Part {
    const first = groups;
    const body = single();
    const [found, sign, least, comma, most, lazy] = take(times) ?? [];
    if (found === undefined) return body;
    const min = sign ? (sign === '+' ? 1 : 0) : Number(least);
    const upTo = comma ? (most ? Number(most) : Number.POSITIVE_INFINITY) : min;
    const max = sign ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : upTo;
    return { kind: 'repeat', body, min, max, isLazy: lazy !== undefined, groups: [first, groups] };
  }

  function single(): Part {
    const opened = take(open)?.[0];
    if (opened !== undefined) return bracket(opened);
    const border = take(edge)?.[0];
    if (border !== undefined) return { kind: 'edge', source: border };
    const group = take(same)?.[1];
    if (group !== undefined) return { kind: 'same', group: Number(group) };
    const character = take(one)?.[0];
    if (character === undefined) throw new Error(`unknown syntax at ${at} of ${source}`);
    return { kind: 'one', source: character };
  }

  function bracket(opened: string): Part {
    const group = opened === '(' ? groups++ : 0;
    const body = choice();
    if (source[at++] !== ')') throw new Error(`a bracket is open in ${source}`);
    if (opened === '(?:') return body;
    if (opened === '(') return { kind: 'group', group, body };
    return { kind: 'look', behind: opened.includes('<'), not: opened.endsWith('!'), body };
  }

  const whole = choice();
  if (at < source.length) throw new Error(`unknown syntax at ${at} of ${source}`);
  return whole;
}
