/** The things that a closing account may wait for, in the order of its steps (rules/closing#6). */
export const closingWaits = [
  'legal_hold',
  'suspension',
  'payments',
  'loads',
  'withdrawals',
  'refunds',
  'disputes',
  'linked_account',
  'withdrawal_hold',
] as const;

export type ClosingWait = (typeof closingWaits)[number];
