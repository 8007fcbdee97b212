import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { Flag } from '../../declare.ts';
import { UsageError } from '../../terminal.ts';
import { oneOf } from '../nearest.ts';

/** The schema of one field, as far as a flag needs it. */
interface Field {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Field[];
  readonly default?: unknown;
}

interface Fields {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

/** A field that may be null is taken as what it is otherwise. */
const bare = (field: Field): Field => ({
  ...(field.anyOf?.find(({ type }) => type !== 'null') ?? field),
  ...(field.description ? { description: field.description } : {}),
});

/** The body or the query of an operation; it has never both. */
export const fieldsOf = ({ body, query }: EndpointDefinition): Fields =>
  ((body ?? query) as unknown as Fields | undefined) ?? { properties: {} };

export const kebab = (name: string): string => name.replaceAll('_', '-');

const placeholders: Readonly<Record<string, string>> = {
  integer: 'n',
  number: 'n',
  object: 'json',
  array: 'json',
};

/**
 * `--payer-customer-id <text>  Payer (needed)`, one for each field.
 * @param without what stands in the line instead
 */
export function flagsOf(endpoint: EndpointDefinition, without: readonly string[]): Flag[] {
  const { properties, required = [] } = fieldsOf(endpoint);
  const shown = Object.entries(properties).filter(([name]) => !without.includes(name));
  return shown.map(([name, given]) => {
    const field = bare(given);
    const facts = [
      field.description,
      field.enum ? `one of ${field.enum.join(', ')}` : undefined,
      field.default === undefined ? undefined : `default ${field.default}`,
      required.includes(name) ? '(needed)' : undefined,
    ];
    const value =
      field.type === 'boolean' ? 'true|false' : (placeholders[field.type ?? ''] ?? 'text');
    return [`--${kebab(name)} <${value}>`, facts.filter(Boolean).join('; ')] as const;
  });
}

/** The values of a flag; none where it takes any. */
export function enumOf(endpoint: EndpointDefinition, flag: string): readonly string[] {
  const { properties } = fieldsOf(endpoint);
  const found = Object.entries(properties).find(([name]) => `--${kebab(name)}` === flag);
  return found ? (bare(found[1]).enum ?? []) : [];
}

function parsedJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${flag} is not JSON`, `Give it in quotes: ${flag} '{"name":"Till 1"}'`);
  }
}

/** @throws UsageError for text of another form; what else is wrong the service says */
function parsedAs(flag: string, given: Field, text: string): unknown {
  const field = bare(given);
  if (field.enum)
    return oneOf(`a value of ${flag}`, text, field.enum, `Give ${field.enum.join(', or ')}.`);
  if (field.type === 'boolean')
    return oneOf(`a value of ${flag}`, text, ['true', 'false'], 'Give true or false.') === 'true';
  if (field.type === 'object' || field.type === 'array') return parsedJson(flag, text);
  if (field.type !== 'integer' && field.type !== 'number') return text;
  if (/^-?\d{1,16}(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(
    `${flag} ${text} is not a number`,
    `Give digits, amounts in cents: ${flag} 450`,
  );
}

/** The name that commander gives to the value of a flag. */
const camel = (flag: string): string =>
  flag.replace(/-([a-z0-9])/g, (_, sign: string) => sign.toUpperCase());

/** The fields that were given by flags of their own. */
export function valuesOf(
  endpoint: EndpointDefinition,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fieldsOf(endpoint).properties)) {
    const given = options[camel(kebab(name))];
    if (typeof given === 'string') values[name] = parsedAs(`--${kebab(name)}`, field, given);
  }
  return values;
}

/** @throws UsageError for the needed fields that are absent */
export function assertWhole(
  command: string,
  endpoint: EndpointDefinition,
  values: Readonly<Record<string, unknown>>,
): void {
  const missing = (fieldsOf(endpoint).required ?? []).filter((name) => !(name in values));
  if (missing.length === 0) return;
  const flags = missing.map((name) => `--${kebab(name)}`).join(', ');
  throw new UsageError(
    `${command} needs ${flags}`,
    `See what each is with: tpay ${command} --help${endpoint.body ? '; or give all with --data' : ''}`,
  );
}
