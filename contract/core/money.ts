import Type from 'typebox';
import { amounts } from './numbers.ts';

/** Amounts are whole cents of US dollars, safe integers (rules/errors#35). */
export const maximumCents = 1_000_000_000_00;

/** An amount a Tenant sends: at least one cent. */
export const AmountInput = Type.Integer({
  minimum: amounts.minimum,
  maximum: maximumCents,
  description: 'Integer cents, at least 1',
});

/** An amount of a load or a withdrawal (rules/limits#3). */
export const TransferAmountInput = Type.Integer({
  minimum: amounts.minimumTransfer,
  maximum: maximumCents,
  description: `Integer cents, at least ${amounts.minimumTransfer}: less is \`parameter_invalid\`, reason \`below_minimum\``,
});

/** An amount in a reply. */
export const Cents = Type.Integer({ description: 'Integer cents' });

export const Currency = Type.Literal('USD');

/**
 * A fee of `basisPoints` of `amountCents` plus `fixedCents`, rounded half up to a cent
 * (rules/payments#14).
 */
export function feeCents(amountCents: number, basisPoints: number, fixedCents: number): number {
  return Math.floor((amountCents * basisPoints + 5_000) / 10_000) + fixedCents;
}

/** The cents of all items together. */
export const sumOf = <Item>(items: readonly Item[], centsOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + centsOf(item), 0);
