import { oneOf } from '../nearest.ts';
import { duties } from './duties/all.ts';
import type { Duty } from './duties/duty.ts';
import { type Judged, notShown } from './judges.ts';
import type { Play } from './play.ts';

/** The finding on one duty. */
export interface Row extends Judged, Pick<Duty, 'id' | 'duty' | 'rule'> {}

/**
 * The duties of these names, with commas between, and those that must be seen first; absent: all.
 * @throws UsageError for a name that no duty has
 */
export function dutiesOf(only: string | undefined): readonly Duty[] {
  if (only === undefined) return duties;
  const known = duties.map(({ id }) => id);
  const asked = new Set(
    only
      .split(',')
      .map((id) => oneOf('a duty', id.trim(), known, 'List them with: tpay receiver check --list')),
  );
  // The needs of a duty stand before it, so that one walk from the end finds all.
  for (const { id, needs } of duties.toReversed())
    if (asked.has(id)) for (const need of needs) asked.add(need);
  return duties.filter(({ id }) => asked.has(id));
}

/** Plays each duty in turn. One that needs another which failed is not told. */
export async function* check(play: Play, asked: readonly Duty[]): AsyncGenerator<Row> {
  const holds = new Map<string, boolean>();
  for (const { id, duty, rule, needs, judge } of asked) {
    const missing = needs.find((need) => holds.get(need) === false);
    const judged = missing ? notShown(`first mend ${missing}`) : await judge(play);
    holds.set(id, missing === undefined && judged.verdict !== 'fail');
    yield { id, duty, ...judged, rule };
  }
}
