import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { idPlaces } from './cases.ts';
import type { Draft } from './requests.ts';

/** What can be wrong with a request of any operation, in the order of decisions 1.0. */

/** What some of it takes. */
export interface Means {
  /** The token of a Tenant whose requests of this minute are used up. */
  readonly spentToken: string;
  /** An Idempotency-Key that another request has. */
  readonly usedKey: string;
}

export interface Fault {
  readonly name: string;
  readonly applies: (draft: Draft) => boolean;
  readonly make: (draft: Draft, means: Means) => Draft;
  readonly told: readonly [code: ErrorCode, param: string | null, reason?: string];
}

const always = () => true;
const required = ({ endpoint }: Draft) => endpoint.idempotent === 'required';
const honored = ({ endpoint }: Draft) => endpoint.idempotent !== 'none';

function withUnknownId(draft: Draft): Draft {
  const { params, query, body } = draft;
  const [place] = idPlaces({ params });
  const put = place?.put('unknown').params;
  return { ...draft, query, body, params: put ?? params };
}

/** In the order in which they are told. */
export const faults: readonly Fault[] = [
  {
    name: 'no token',
    applies: always,
    make: (draft) => ({ ...draft, authorization: null }),
    told: ['authentication_required', null],
  },
  {
    name: 'a spent rate',
    applies: always,
    make: (draft, { spentToken }) => ({ ...draft, authorization: `Bearer ${spentToken}` }),
    told: ['rate_limited', null],
  },
  {
    name: 'no key',
    applies: required,
    make: (draft) => ({ ...draft, key: null }),
    told: ['idempotency_key_missing', null],
  },
  {
    name: 'a malformed key',
    applies: honored,
    make: (draft) => ({ ...draft, key: 'a b' }),
    told: ['parameter_invalid', 'Idempotency-Key', 'format'],
  },
  {
    name: 'an unknown parameter',
    applies: always,
    make: (draft) => ({ ...draft, query: { ...draft.query, unknown: '1' } }),
    told: ['parameter_invalid', 'unknown', 'unknown_field'],
  },
  {
    name: 'a key of another request',
    applies: honored,
    make: (draft, { usedKey }) => ({ ...draft, key: usedKey }),
    told: ['parameter_invalid', 'Idempotency-Key', 'idempotency_key_reused'],
  },
  {
    name: 'an unknown id',
    applies: ({ params, endpoint }) =>
      idPlaces({ params }).length > 0 && endpoint.errors.includes('not_found'),
    make: withUnknownId,
    told: ['not_found', null],
  },
];

/** Faults of the key take each other's place, so only one of them can be made. */
const ofKey = ['no key', 'a malformed key', 'a key of another request'];
const ofToken = ['no token', 'a spent rate'];
const excludes = (a: Fault, b: Fault) =>
  [ofKey, ofToken].some((names) => names.includes(a.name) && names.includes(b.name));

export const pairs = faults.flatMap((first, index) =>
  faults
    .slice(index + 1)
    .filter((second) => !excludes(first, second))
    .map((second) => [first, second] as const),
);
