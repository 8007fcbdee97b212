import { actWords } from './acts.ts';
import { capitalized, type Field, isId, plainWords, shortened } from './field.ts';
import { lengthWords } from './lengths.ts';

/** Values as people read them, in text; pages show records, people and times by parts of their own. */

/** The name of a person by id; null: it is not known. */
export type NameOf = (id: string) => string | null;
const nobody: NameOf = () => null;

/** Cents as dollars, with cents where there are some: `$10,000`, `$12.50`. */
export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  });

const eastern = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'America/New_York',
});
const dayOnly = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const lengths = { seconds: 1, hours: 3_600, days: 86_400 } as const;
const counted = (value: number) => value.toLocaleString('en-US');

function numberWords({ kind, unit }: Field, value: number): string {
  switch (kind) {
    case 'money':
      return dollars(value);
    case 'seconds':
    case 'hours':
    case 'days':
      return lengthWords(value * lengths[kind]);
    case 'basis_points':
      return `${value / 100}%`;
    case 'percent':
      return `${value}%`;
    case 'score':
      return `${value} of 100`;
    default:
      return unit === undefined ? counted(value) : `${counted(value)} ${unit}`;
  }
}

const word = /^[a-z0-9]+(?:[_-][a-z0-9]+)+$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/;

/** Somebody by kind and id, `person 019c…`, by name; without one as the kind alone. */
function personWords(text: string, nameOf: NameOf): string {
  const [kind = '', id] = text.includes(' ') ? text.split(' ', 2) : ['person', text];
  return nameOf(id ?? '') ?? capitalized(plainWords(kind));
}

function textWords(field: Field, text: string, nameOf: NameOf): string {
  const { kind, choices } = field;
  if (choices && Object.hasOwn(choices, text)) return choices[text] ?? text;
  if (kind === 'act') return actWords(text);
  if (kind === 'person') return personWords(text, nameOf);
  if (isId(text)) return nameOf(text) ?? shortened(text);
  if (instant.test(text)) return `${eastern.format(new Date(text))} ET`;
  if (kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(text)) return dayOnly.format(new Date(text));
  if (kind === 'exact') return text;
  if (kind === 'role') return text.split(', ').map(capitalized).join(', ');
  return kind === 'state' || word.test(text) ? capitalized(plainWords(text)) : text;
}

/** A value of a field in words; parts of a list one after the other. */
export function valueWords(field: Field, value: unknown, nameOf: NameOf = nobody): string {
  if (value === null || value === undefined || value === '') return field.none ?? 'none';
  if (typeof value === 'boolean')
    return field.kind === 'feature' ? (value ? 'on' : 'off') : value ? 'yes' : 'no';
  if (typeof value === 'number') return numberWords(field, value);
  if (Array.isArray(value))
    return value.map((one) => valueWords(field, one, nameOf)).join(', ') || (field.none ?? 'none');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => `${plainWords(name)} ${valueWords(field, one, nameOf)}`)
      .join(', ');
  return textWords(field, String(value), nameOf);
}
