import Type, { type Static } from 'typebox';
import { Closed, Instant, Nullable } from '../core/schema.ts';

/** The seed when none is given: the same faults in the same places, every time. */
export const defaultSeed = 1;

const rate = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, default: 0, description });

const fields = {
  duplicate: rate('Share of the events that arrive twice'),
  out_of_order: rate(
    'Share of the events that arrive late, after the next version of their record',
  ),
  fail_first_attempt: rate('Share of the events whose first attempt fails'),
  api_503: rate('Share of the API calls that get a 503 before any effect'),
  seed: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    default: defaultSeed,
    description: 'The same seed with the same calls and events gives the same faults',
  }),
  ends_at: Nullable(
    Instant('Real time from which on nothing is struck and every rate reads 0; null: no end'),
  ),
};

export const Chaos = Closed(fields);

export type Chaos = Static<typeof Chaos>;
