import { actWords, doneWords, triedWords } from './acts.ts';
import { changesSentence, settingChanges } from './changes.ts';
import { type Field, within } from './field.ts';
import { fieldOf } from './records.ts';
import { settingField } from './settings.ts';

/** A row of the audit as people read it: a sentence, and a table of what differs. */

/** As the audit lists it. */
export interface ToldAct {
  readonly act: string;
  readonly outcome: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const isOfSettings = (keys: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key) => settingField(key) !== null);

/** The act as an order: a request with what it is about, a change of settings with its values. */
function orderOf({ act, outcome, before, after }: ToldAct): string {
  const words = actWords(act);
  if (act === 'putSettings' && outcome === 'done' && isOfSettings(Object.keys(after ?? {})))
    return changesSentence(settingChanges(before, after));
  const about = after?.act;
  return typeof about === 'string' ? `${words}: ${within(actWords(about))}` : words;
}

/** `Raised the daily load limit of individuals, $1,000 to $2,000`; `Tried to retire a webhook secret`. */
export const actSentence = (row: ToldAct): string =>
  row.outcome === 'done' ? doneWords(orderOf(row)) : triedWords(orderOf(row));

/** A field that differs. */
export interface Difference {
  readonly key: string;
  readonly field: Field;
  readonly before: unknown;
  readonly after: unknown;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const holdsRecords = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.some(isPlain);

/** Every value by its path; a list of plain values is one. */
function flat(value: unknown, path: string): [string, unknown][] {
  if (isPlain(value) || holdsRecords(value))
    return Object.entries(value).flatMap(([key, inner]) =>
      flat(inner, path === '' ? key : `${path}.${key}`),
    );
  return [[path, value]];
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The fields that differ between before and after, in the words of the catalog. */
export function differencesOf({ act, before, after }: Omit<ToldAct, 'outcome'>): Difference[] {
  if (act === 'putSettings' && isOfSettings(Object.keys(after ?? {})))
    return settingChanges(before, after).map(({ field: key, ...values }) => ({
      key,
      field: fieldOf('settings', key),
      ...values,
    }));
  const [was, is] = [before, after].map((side) => new Map(side === null ? [] : flat(side, '')));
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    .map((key) => ({ key, before: was?.get(key) ?? null, after: is?.get(key) ?? null }))
    .filter((one) => !isSame(one.before, one.after))
    .map((one) => ({ ...one, field: fieldOf('record', one.key, one.after ?? one.before) }));
}
