/** A field that narrows a list, kept in the address under its name. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'choice' | 'time';
  readonly placeholder?: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

export type Values = Readonly<Record<string, string>>;

/** Of the address, what the fields know; the router reads numbers, a field has texts. */
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
