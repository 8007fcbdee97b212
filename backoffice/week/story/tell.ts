import type { Act, Step } from '../acts.ts';
import type { When } from '../days.ts';
import type { IndividualKey, ShopKey, Who } from '../people.ts';

/** Acts that happen once in the week. */
export type Told = readonly [When, ...Act[]];

export const on = (daysAgo: number, at: string): When => ({ daysAgo, at });
export const businessDays = (businessDaysAgo: number, at: string): When => ({
  businessDaysAgo,
  at,
});
export const ago = (minutesAgo: number): When => ({ minutesAgo });

type Of<Name extends Act['do']> = Extract<Act, { readonly do: Name }>;

/** @param name within its kind @param more what differs from a payment from the balance */
export const pay = (
  name: string,
  who: IndividualKey,
  to: ShopKey,
  [what, cents]: readonly [what: string, cents: number],
  more: Pick<Of<'pay'>, 'by' | 'request' | 'steps'> = {},
): Act => ({ do: 'pay', name: `pay:${name}`, who, to, what, cents, ...more });

export const load = (name: string, who: Who, cents: number, ...steps: Step[]): Act => ({
  do: 'load',
  name: `load:${name}`,
  who,
  cents,
  steps,
});

/** @param steps absent: it is settled */
export const withdraw = (name: string, who: Who, cents: number, steps?: readonly Step[]): Act => ({
  do: 'withdraw',
  name: `out:${name}`,
  who,
  cents,
  ...(steps ? { steps } : {}),
});

/** @param steps absent: the merchant confirms it */
export const refund = (
  payment: string,
  cents: number,
  why: Of<'refund'>['why'],
  { steps, name = payment }: { steps?: readonly Step[]; name?: string } = {},
): Act => ({
  do: 'refund',
  name: `refund:${name}`,
  of: `pay:${payment}`,
  cents,
  why,
  ...(steps ? { steps } : {}),
});

/** @param payment absent: the notice names none */
export const dispute = (
  who: IndividualKey,
  payment: string | null,
  type: Of<'dispute'>['type'],
  words: string,
): Act => ({
  do: 'dispute',
  name: `dispute:${payment ?? who}`,
  who,
  type,
  words,
  ...(payment === null ? {} : { of: `pay:${payment}` }),
});

export const request = (name: string, shop: ShopKey, cents: number): Act => ({
  do: 'request',
  name: `request:${name}`,
  shop,
  cents,
});

/** @param finding what the customer's letter says was found */
export const review = (named: string, move: string, note: string, finding?: string): Act => ({
  do: 'review',
  on: named,
  move,
  note,
  ...(finding === undefined ? {} : { finding }),
});

export const play = (step: Step, named: string): Act => ({ do: 'play', step, on: named });

export const endpoint = (is: Of<'endpoint'>['is']): Act => ({ do: 'endpoint', is });
