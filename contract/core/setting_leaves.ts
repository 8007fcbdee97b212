import type { Settings } from './settings.ts';

type Leaf = string | number | boolean | null;

/** One value of the settings, by its path such as `limits.load_daily.individual`. */
export interface LeafChange {
  readonly field: string;
  readonly before: Leaf;
  readonly after: Leaf;
}

function leaves(value: unknown, path: string): [string, Leaf][] {
  if (typeof value !== 'object' || value === null) return [[path, (value ?? null) as Leaf]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

/** A fee is named by what it is for, since its place in the list says nothing. */
const namedFees = (fees: Settings['fees']) =>
  fees.flatMap(({ type, payment_type, source, ...amounts }) =>
    leaves(amounts, `fees.${type}.${payment_type}.${source}`),
  );

/** A network is named by itself: its place in the list says nothing. */
const namedUses = (uses: Settings['request_uses']) =>
  Object.entries(uses).flatMap(([use, { networks, agreement }]): [string, Leaf][] => [
    ...networks.map((network): [string, Leaf] => [`request_uses.${use}.networks.${network}`, true]),
    [`request_uses.${use}.agreement`, agreement],
  ]);

/** An industry is named by its key, which stays. */
const namedIndustries = (industries: NonNullable<Settings['industries']>) =>
  industries.flatMap(({ key, name }) => leaves(name, `industries.${key}.name`));

/** Every setting whose values are named otherwise than by their path. */
const named: { readonly [K in keyof Settings]?: (value: never) => [string, Leaf][] } = {
  fees: namedFees,
  request_uses: namedUses,
  industries: namedIndustries,
};

/** Every value by its path. */
export const leavesOf = (settings: Partial<Settings>): ReadonlyMap<string, Leaf> =>
  new Map(
    Object.entries(settings).flatMap(([key, value]) =>
      (named[key as keyof Settings] ?? ((other) => leaves(other, key)))(value as never),
    ),
  );

/** Every value that differs. One that only one side has is null on the other. */
export function changedLeaves(
  before: Partial<Settings>,
  after: Partial<Settings>,
): readonly LeafChange[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter((change) => change.before !== change.after);
}
