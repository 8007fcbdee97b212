import { InBothLanguages } from '@tenant-payments/contract/core/languages.ts';
import { Closed, Instant, Nullable, OneOf } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Terms of consumers that get worse, and who must be told (rules/documents#31). */

export const TermChange = Closed({
  object: Type.Literal('term_change'),
  id: Type.String({ description: 'A uuid' }),
  status: OneOf(['waiting', 'in_force']),
  terms: Type.Array(
    Closed({
      field: Type.String({ description: 'As limits.payment_daily.individual' }),
      waits: Type.Boolean({ description: 'False: it holds, or was set otherwise since' }),
      words: InBothLanguages(500, 'What the notice says of it'),
    }),
  ),
  security_reason: Nullable(
    Type.String({ description: 'For which it held at once; null: it waits for its day' }),
  ),
  consumers: Type.Integer({ description: 'How many are told' }),
  told_at: Nullable(Instant('When a notice to each of them was written; null: not yet')),
  effective_at: Instant('From when on it holds; later where a notice is not given yet'),
  created_at: Instant('When it was set'),
});
export type TermChange = Static<typeof TermChange>;

export const ConsumerTerms = Closed({
  object: Type.Literal('consumer_terms'),
  consumers: Type.Integer({
    description: 'Who must be told of a change now; without any it holds at once',
  }),
  effective_at: Instant('From when on a change of now would hold'),
  changes: Type.Array(TermChange, { description: 'The last 100, newest first' }),
});
export type ConsumerTerms = Static<typeof ConsumerTerms>;

export const getConsumerTerms = portalEndpoint({
  id: 'getConsumerTerms',
  method: 'GET',
  path: '/portal/api/consumer-terms',
  summary: 'Get the terms of consumers that get worse, when, and who must be told',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  success: { status: 200, schema: ConsumerTerms },
  errors: [],
});
