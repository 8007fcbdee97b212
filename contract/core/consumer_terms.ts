import Type, { type Static } from 'typebox';
import { Closed, Nullable } from './schema.ts';
import { FeeRule, type Settings } from './settings.ts';

/**
 * Terms of consumers among the settings. Worse for them is a higher fee, a lower limit or fewer kinds of transfers
 * [12 CFR 1005.8(a)(1)]; it is told 21 days before (rules/documents#28).
 */

/** One term: its place, as `limits.load_daily.individual`, and what holds from when on. */
export const TermPiece = Closed({
  field: Type.String(),
  before: Nullable(Type.Union([Type.Integer(), Type.Boolean(), FeeRule])),
  after: Nullable(Type.Union([Type.Integer(), Type.Boolean(), FeeRule])),
});
export type TermPiece = Static<typeof TermPiece>;
type Value = TermPiece['after'];

/** The kinds of transfers that a consumer makes. */
const transferFlows = ['loads', 'payments_balance', 'payments_bank'] as const;
const feeTypesOfConsumers = ['platform', 'tenant'] as const;

/** A consumer's cost by a rule. */
const costOf = (rule: FeeRule | null) =>
  rule?.paid_by === 'payer'
    ? { basis_points: rule.basis_points, fixed: rule.fixed }
    : { basis_points: 0, fixed: 0 };

export const isOfConsumers = ({ payment_type, source }: FeeRule): boolean =>
  payment_type === 'consumer_to_merchant' && source === 'balance';

const feeField = (type: FeeRule['type']) => `fees.${type}.consumer_to_merchant.balance`;

const isLower = (before: Value, after: Value): boolean =>
  after !== null && (before === null || Number(after) < Number(before));

function isDearer(before: FeeRule | null, after: FeeRule | null): boolean {
  const [was, is] = [costOf(before), costOf(after)];
  return is.basis_points > was.basis_points || is.fixed > was.fixed;
}

/** Every term of consumers by its place, whether or not it is set. */
export function termsOf({ limits, flows, fees }: Settings): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    ...Object.entries(limits).map(([key, { individual }]): [string, Value] => [
      `limits.${key}.individual`,
      individual,
    ]),
    ...transferFlows.map((key): [string, Value] => [`flows.${key}`, flows[key]]),
    ...feeTypesOfConsumers.map((type): [string, Value] => [
      feeField(type),
      fees.find((rule) => rule.type === type && isOfConsumers(rule)) ?? null,
    ]),
  ]);
}

/** Whether a term is worse for consumers than before. */
function isWorse(field: string, before: Value, after: Value): boolean {
  if (field.startsWith('limits.')) return isLower(before, after);
  if (field.startsWith('flows.')) return before === true && after === false;
  return isDearer(before as FeeRule | null, after as FeeRule | null);
}

/** The terms that a change makes worse, and those that it changes otherwise. */
export function changedTerms(was: Settings, is: Settings) {
  const [before, after] = [termsOf(was), termsOf(is)];
  const same = (field: string) =>
    JSON.stringify(before.get(field) ?? null) === JSON.stringify(after.get(field) ?? null);
  const pieces = [...after.keys()]
    .filter((field) => !same(field))
    .map((field) => ({
      field,
      before: before.get(field) ?? null,
      after: after.get(field) ?? null,
    }));
  const worse = pieces.filter((piece) => isWorse(piece.field, piece.before, piece.after));
  return { worse, better: pieces.filter((piece) => !worse.includes(piece)) };
}

/**
 * The fee that holds until it may rise: no more than before. A part that falls falls at once, so that a later rise
 * lowers nothing of what two people guard.
 */
function heldFee(before: FeeRule | null, after: FeeRule | null): FeeRule | null {
  if (!before || !after) return before;
  const { basis_points, fixed } = before;
  return {
    ...before,
    basis_points: Math.min(basis_points, after.basis_points),
    fixed: Math.min(fixed, after.fixed),
  };
}

/** A piece as it holds until its day comes. */
export const heldPiece = ({ field, before, after }: TermPiece): TermPiece => ({
  field,
  before,
  after: field.startsWith('fees.')
    ? heldFee(before as FeeRule | null, after as FeeRule | null)
    : before,
});

/** The settings with these terms in place of theirs. */
export function withTerms(settings: Settings, pieces: readonly TermPiece[]): Settings {
  let { limits, flows, fees } = settings;
  for (const { field, after } of pieces) {
    const [group, key = ''] = field.split('.');
    if (group === 'flows') flows = { ...flows, [key]: after };
    else if (group === 'limits') {
      const limit = limits[key as keyof typeof limits];
      limits = { ...limits, [key]: { ...limit, individual: after } };
    } else {
      const others = fees.filter((rule) => !(rule.type === key && isOfConsumers(rule)));
      fees = after === null ? others : [...others, after as FeeRule];
    }
  }
  return { ...settings, limits, flows, fees };
}
