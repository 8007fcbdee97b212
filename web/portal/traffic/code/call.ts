import table from './operations.json' with { type: 'json' };

/** A call as the request log shows it. */
export interface LoggedCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly request_body: string | null;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The operation's method of the SDK; null: the SDK calls it by itself. */
  readonly call: string | null;
  readonly keyed: boolean;
  readonly form: boolean;
  readonly numbers: readonly string[];
  readonly hasQuery: boolean;
  readonly hasBody: boolean;
  readonly placeholders: Readonly<Record<string, unknown>>;
}

export const operations: readonly Operation[] = table;

export interface ReadCall {
  /** Null: no operation has this path. */
  readonly operation: Operation | null;
  /** Path, with placeholders for what is hidden. */
  readonly path: string;
  /** The values of the path's parameters, in order. */
  readonly values: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** Undefined: there was none. Null: it was too long to be kept as a whole. */
  readonly body: unknown;
}

const hidden = '[redacted]';

/** A value that the log hides, as a word that says what belongs there. */
const wordFor = (name: string): string =>
  `YOUR_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`;

const isParameter = (step: string): boolean => step.startsWith(':');

/** The path's values where it is of this operation. */
function valuesOf(pattern: string, path: string): string[] | null {
  const wanted = pattern.split('/');
  const steps = path.split('/');
  if (wanted.length !== steps.length) return null;
  const isSame = wanted.every((step, at) => isParameter(step) || step === steps[at]);
  if (!isSame) return null;
  return steps.flatMap((step, at) => {
    const name = wanted[at] ?? '';
    if (!isParameter(name)) return [];
    return step === hidden ? wordFor(name.slice(1)) : decodeURIComponent(step);
  });
}

/** The body with placeholders for what is hidden. */
function filled(value: unknown, known: Operation['placeholders'], name = 'value'): unknown {
  if (value === hidden) return known[name] ?? wordFor(name);
  if (typeof value === 'string') return value.replaceAll(hidden, 'REDACTED');
  if (Array.isArray(value)) return value.map((item) => filled(item, known, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, filled(inner, known, key)]),
  );
}

function bodyOf(text: string | null, known: Operation['placeholders']): unknown {
  if (text === null) return undefined;
  try {
    return filled(JSON.parse(text), known);
  } catch {
    return null;
  }
}

/** Reads a logged call, so that it can be written as code. */
export function readCall({ method, path: target, request_body }: LoggedCall): ReadCall {
  const [path = '', ...rest] = target.split('?');
  const isOf = (one: Operation) => one.method === method && valuesOf(one.path, path) !== null;
  // A path without parameters comes before one with a parameter in the same place.
  const operation =
    operations.find((one) => isOf(one) && one.path === path) ?? operations.find(isOf) ?? null;
  const query = [...new URLSearchParams(rest.join('?'))].map(
    ([name, value]) => [name, value === hidden ? wordFor(name) : value] as const,
  );
  return {
    operation,
    path: path.replaceAll(hidden, 'YOUR_VALUE'),
    values: operation ? (valuesOf(operation.path, path) ?? []) : [],
    query,
    body: bodyOf(request_body, operation?.placeholders ?? {}),
  };
}
