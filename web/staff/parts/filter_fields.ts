import { shortened } from '@tenant-payments/contract/core/fields/field.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface ChoiceGroup {
  readonly group: string;
  readonly items: Choice[];
}

/** A field that narrows a list, kept in the address under its name. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'choice' | 'time';
  readonly placeholder?: string;
  readonly choices?: readonly (Choice | ChoiceGroup)[];
  /** Whether times are those of the real clock, and not of the Tenant's. */
  readonly isReal?: true;
}

const ofTimes = (more: Pick<FilterField, 'isReal'>): readonly FilterField[] => [
  { name: 'from', label: 'From', kind: 'time', ...more },
  { name: 'to', label: 'To', kind: 'time', ...more },
];
/** The times of a list's rows, by the clock that wrote them. */
export const tenantTimes = ofTimes({});
export const realTimes = ofTimes({ isReal: true });

/** Values with the words of a page for each. */
export const choicesOf = (
  values: readonly string[],
  say: (value: string) => string = (value) => value,
): readonly Choice[] => values.map((value) => ({ value, label: say(value) }));

export type Values = Readonly<Record<string, string>>;

/** The values of the fields, read from the address; the router reads numbers, a field has texts. */
export const valuesIn = (
  fields: readonly FilterField[],
  search: Readonly<Record<string, unknown>>,
): Values =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = search[name];
      return value === undefined || value === null || value === '' ? [] : [[name, String(value)]];
    }),
  );

/** Lengths of time that lists are looked at most, up to now. */
export const presets = [
  { label: 'Last hour', ms: 3_600_000 },
  { label: '24 hours', ms: 86_400_000 },
  { label: '7 days', ms: 7 * 86_400_000 },
] as const;

const toMinute = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const toDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const anId = /^([a-z]+_)?[0-9a-f-]{32,36}$/;
const wholeDay = /^\d{4}-\d\d-\d\d$/;

/** The value of a filter, as its chip says it. */
export function saidOf({ kind, choices }: FilterField, value: string): string {
  if (kind === 'choice') {
    const all = (choices ?? []).flatMap((one) => ('items' in one ? one.items : [one]));
    return all.find((one) => one.value === value)?.label ?? value;
  }
  if (kind === 'text') return anId.test(value) ? shortened(value) : value;
  const date = new Date(wholeDay.test(value) ? `${value}T00:00:00` : value);
  if (Number.isNaN(date.getTime())) return value;
  return (wholeDay.test(value) ? toDay : toMinute).format(date);
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** An instant as a field of the browser shows it: in the reader's own zone, to the minute. */
export function localTime(instant: string | undefined): string {
  const date = new Date(instant ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** And back. */
export function instantOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** An instant; of a day its beginning where the reader is, or that of one so many days later. */
function asInstant(given: string, later = 0): string {
  if (!wholeDay.test(given)) return Number.isNaN(Date.parse(given)) ? '' : given;
  const date = new Date(`${given}T00:00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** The values as the service takes them; the last day counts as a whole one. */
export function askedOf(values: Values): Values {
  const { from = '', to = '' } = values;
  const times = { from: asInstant(from), to: asInstant(to, 1) };
  return Object.fromEntries(Object.entries({ ...values, ...times }).filter(([, text]) => text));
}
