import type { SimulateName } from '../catalog.ts';

type Json = string | number | boolean | null | { readonly [key: string]: Json };

/**
 * One call of a provocation. Texts may hold variables of steps before it: `$ANA`. The page shows it as
 * curl, and a test sends it (rules/errors#44).
 */
export interface ProvokeStep {
  /** Absent: POST with a body, GET without. */
  readonly method?: 'PUT' | 'DELETE' | 'POST';
  readonly path: string;
  readonly body?: { readonly [key: string]: Json };
  /** Fields of a form in place of JSON; such a call carries no access token. */
  readonly form?: Readonly<Record<string, string>>;
  /** Variables to keep, each with its place in the reply. */
  readonly keep?: Readonly<Record<string, string>>;
  /** A header that every other call carries, and this one does not. */
  readonly without?: 'token' | 'key';
  /** How often it is sent; absent: once. */
  readonly times?: number;
}

/** How a code arises: what comes first, the call that it answers, and what makes good again. */
export interface Provocation {
  readonly before: readonly ProvokeStep[];
  readonly call: ProvokeStep;
  readonly after: readonly ProvokeStep[];
  /** One sentence beside the calls. */
  readonly note?: string;
  /** True: sets `REF` and `MOBILE` first, which no customer has. */
  readonly fresh?: boolean;
}

/** A code that no short call in the sandbox brings about. */
export interface CauseInWords {
  readonly told: string;
}

/** Finds one of the sample people. */
const sample = (variable: string, ref: string): ProvokeStep => ({
  path: `/v1/customers?external_ref=sample-${ref}`,
  keep: { [variable]: 'data[0].id' },
});

/** A consumer with money and a linked bank. */
export const ana = sample('ANA', 'ana');
/** A consumer whose bank takes no requests for payment. */
export const ben = sample('BEN', 'ben');
/** A merchant. */
export const books = sample('BOOKS', 'books');

export const simulate = (event: SimulateName, variable: string): ProvokeStep => ({
  path: `/v1/sandbox/simulate/${event}`,
  body: { object_id: `$${variable}` },
});

/** Makes `NEW`, an approved consumer without a bank account. */
export const newcomer: readonly ProvokeStep[] = [
  {
    path: '/v1/customers',
    body: {
      type: 'individual',
      external_ref: '$REF',
      email: 'nora@example.com',
      mobile_number: '$MOBILE',
      prefill: { first_name: 'Nora', last_name: 'Field' },
    },
    keep: { NEW: 'id' },
  },
  simulate('session.completed', 'NEW'),
  simulate('customer.approved', 'NEW'),
];

/** Links an account at a bank of the sandbox, and verifies it. */
export const link = (bank: string, variable: string): readonly ProvokeStep[] => [
  {
    path: '/v1/customers/$NEW/linked-accounts',
    body: { public_token: `public-sandbox-${bank}-$REF` },
    keep: { [variable]: 'id' },
  },
  simulate('linked_account.verified', variable),
];

/** Ana pays the bookshop from her balance. */
export const pay = (amount: number): ProvokeStep => ({
  path: '/v1/payments',
  body: {
    payer_customer_id: '$ANA',
    payee_customer_id: '$BOOKS',
    amount,
    source: 'balance',
  },
});

export const withKept = (step: ProvokeStep, variable: string, place = 'id'): ProvokeStep => ({
  ...step,
  keep: { ...step.keep, [variable]: place },
});

/** A code that the bookshop shows, as `REQUEST` and `QR`. */
export const request = (amount: number): ProvokeStep => ({
  path: '/v1/payment-requests',
  body: { type: 'dynamic', merchant_customer_id: '$BOOKS', amount },
  keep: { REQUEST: 'id', QR: 'qr_payload' },
});

export const scan = (more: Readonly<Record<string, Json>> = {}): ProvokeStep => ({
  path: '/v1/payments',
  body: { payer_customer_id: '$ANA', qr_payload: '$QR', source: 'balance', ...more },
});

export const load = (customer: string, amount: number): ProvokeStep => ({
  path: '/v1/loads',
  body: { customer_id: customer, amount },
});

export const settings = (body: Readonly<Record<string, Json>>): ProvokeStep => ({
  method: 'PUT',
  path: '/portal/api/settings',
  body,
});
