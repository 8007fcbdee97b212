import { fail } from './fail.ts';

/** Secrets that are replaced one by one: a few are active at a time, and the last one stays. */

const dashes = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** How a secret's uuid is shown: `whs_<32 hex digits>`, and back; null for what is none. */
export const shownIds = (prefix: string) => ({
  shown: (uuid: string): string => prefix + uuid.replaceAll('-', ''),
  uuidOf: (id: string): string | null =>
    id.startsWith(prefix) && /^[0-9a-f]{32}$/.test(id.slice(prefix.length))
      ? id.slice(prefix.length).replace(dashes, '$1-$2-$3-$4-$5')
      : null,
});

/** There is no room for one more. */
export const tooManyActive = (maximum: number) =>
  fail('invalid_state', {
    details: { reason: 'too_many_active', maximum },
    message: `at most ${maximum} secrets are active; retire one first`,
  });

interface Secret {
  readonly id: string;
  readonly retired_at: string | null;
}

/** The secrets that `secretToRetire` chooses from: the one that is named, and all that are active by now. */
export const candidates = <Row extends Secret>(
  secrets: readonly Row[],
  named: Row | null,
): Row[] => [
  ...(named ? [named] : []),
  ...secrets.filter((row) => row.retired_at === null && row !== named),
];

/**
 * The secret to retire, which may be retired already.
 * @param rows the one that is named, and all active ones
 * @param loss what is impossible without a secret, as the words of a sentence
 * @throws ApiError not_found; invalid_state for the last active one
 */
export function secretToRetire<Row extends Secret>(
  rows: readonly Row[],
  uuid: string | null,
  loss: string,
): Row {
  const row = rows.find(({ id }) => id === uuid);
  if (!row) throw fail('not_found');
  if (row.retired_at === null && rows.length === 1)
    throw fail('invalid_state', {
      details: { reason: 'last_active' },
      message: `this is the last active secret, and without one ${loss}; add another, deploy it, then retire this one`,
    });
  return row;
}
