/**
 * The meaning of each reason of the bank networks (ISO 20022, RTP, FedNow) for a record, by the leg of its order
 * (rules/failure-codes#2). The customer is the debtor of a Request for Payment and the creditor of a credit
 * transfer: a reason about the other side is about an account, or about data, of ours.
 */

/** Reasons that mean the same on both legs. */
const onBoth = {
  account_closed: ['AC04'],
  account_blocked: ['AC06'],
  invalid_account_number: ['AC01'],
  invalid_account_type: [],
  invalid_routing_number: ['RC01', 'RC02'],
  account_holder_deceased: ['MD07'],
  transaction_forbidden: ['AG01', 'RR04'],
  transaction_not_supported: ['AG03', 'NOAT', '9964'],
  amount_exceeds_bank_limit: ['AM14', 'AM02', 'AM13'],
  amount_mismatch: ['AM09'],
  order_rejected: ['DS04'],
  bank_timeout: ['DS24', 'AB05', 'AB06', 'AB01', 'AB03', 'AB11'],
  bank_unavailable: [
    'AB07',
    'AB08',
    '9910',
    '9912',
    '9934',
    '9946',
    '9947',
    '9956',
    '9957',
    'TM01',
  ],
  rejected_other: ['NARR', 'MS03', '1100'],
} as const;

/** Faults of the networks' switches: nobody's data is wrong. */
const ofTheNetwork = ['AB02', 'AB04', 'AB09', 'AB10', '9909', '9948'] as const;

/** The form of our message: amounts, dates, types and ids. */
const ofForm = [
  'AGNT',
  'AM11',
  'AM12',
  'AC10',
  'AC11',
  'DS0H',
  'DT04',
  'FF02',
  'FF03',
  'FF08',
  '650',
  '690',
  '9914',
  '9941',
  '9952',
  '9953',
  '9954',
] as const;
/** A name, address, country or identifier that we sent of either party. */
const ofParties = [
  'BE04',
  'BE07',
  'BE10',
  'BE11',
  'BE12',
  'BE13',
  'BE14',
  'BE15',
  'BE16',
  'BE17',
  'CH11',
] as const;
/** A tokenized account number that we sent. */
const ofTokens = ['SL03', 'TK01', 'TK02', 'TK03', 'TK04', 'TK05', 'TK06', 'TK07', 'TK08'] as const;
const oursOnBoth = [...ofForm, ...ofParties, ...ofTokens];

/** Reasons about our own account, where the customer's is the other one. */
const oursOnRequest = ['AC03', 'AC07', 'AC14', 'RC04'] as const;
const oursOnCredit = ['AC02', 'AC05', 'AC13', 'RC03'] as const;

/** Our account at the bank has not the money for a transfer that the ledger has. */
export const shortOfMoney = 'AM04';

/** The order was sent before: the first one has an end of its own, and this answer is none. */
export const duplicateReasons: readonly string[] = ['DUPL'];

/**
 * No answer came in time on the way, or a switch on it failed: the money may have moved all the same
 * (rules/bank-orders#22). Of what could not even be sent (AB02, AB07 to AB10) nothing has.
 */
export const timeoutReasons: readonly string[] = [
  'AB01',
  'AB03',
  'AB04',
  'AB05',
  'AB06',
  'AB11',
  'DS24',
  'TM01',
];

export const requestReasons = {
  ...onBoth,
  account_closed: ['AC04', 'AC05'],
  invalid_account_number: ['AC02', 'AC01', 'BE06'],
  invalid_account_type: ['AC13'],
  invalid_routing_number: ['RC03', 'RC01', 'RC02'],
  processing_error: [...ofTheNetwork, ...oursOnBoth, ...oursOnRequest],
  insufficient_funds_at_bank: ['AM04'],
  customer_refused: ['CUST'],
  customer_opted_out: ['SL12', 'SL11'],
  request_expired: ['AEXR'],
} as const;

export const creditReasons = {
  ...onBoth,
  account_closed: ['AC04', 'AC07'],
  invalid_account_number: ['AC03', 'AC01'],
  invalid_account_type: ['AC14'],
  invalid_routing_number: ['RC04', 'RC01', 'RC02'],
  rejected_other: [...onBoth.rejected_other, 'CUST'],
  processing_error: [...ofTheNetwork, ...oursOnBoth, ...oursOnCredit, shortOfMoney],
  unknown_customer: ['BE06'],
} as const;

/** By leg, the reasons that an operator must look into: our data or our account was refused. */
export const ourReasons: Readonly<Record<'request' | 'credit', readonly string[]>> = {
  request: [...oursOnBoth, ...oursOnRequest],
  credit: [...oursOnBoth, ...oursOnCredit],
};
