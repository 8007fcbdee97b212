interface Capabilities {
  readonly name: string;
  readonly transfer: boolean;
  readonly request: boolean;
  /** Cents. */
  readonly maximum: number;
}

/** Banks that can do less than the others. Their numbers are of no real bank. */
export const banks: Readonly<Record<string, Capabilities>> &
  Readonly<Record<'other', Capabilities>> = {
  '999999992': { name: 'Transfers Only', transfer: true, request: false, maximum: 1_000_000_00 },
  '888888886': { name: 'Small Amounts', transfer: true, request: true, maximum: 500_00 },
  '777777771': { name: 'No Instant Payments', transfer: false, request: false, maximum: 1 },
  other: { name: 'Some Bank', transfer: true, request: true, maximum: 1_000_000_00 },
};

const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** Whether the check digit of nine digits is right. */
export const isRoutingNumber = (digits: string): boolean =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0) % 10 === 0;
