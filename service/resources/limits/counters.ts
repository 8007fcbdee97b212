import { amounts } from '@tenant-payments/contract/core/numbers.ts';
import type { LimitKey } from '@tenant-payments/contract/core/setting_facts.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Day, easternDay } from './days.ts';
import { type CounterKind, type CounterRow, limitCounters } from './table.ts';

/** The customer whose limits apply. */
export interface LimitedCustomer {
  readonly id: string;
  readonly type: 'individual' | 'business';
}

export interface CounterKey {
  readonly kind: CounterKind;
  readonly period: Day;
}

/** The counters of one customer as they were loaded; null where nothing was counted yet. */
export type Counters = ReadonlyMap<string, CounterRow | null>;

const nameOf = ({ kind, period }: CounterKey) => `${kind} ${period}`;

/** The most that a bank network takes in one transfer (rules/limits#2). */
const networkMaximumCents = amounts.networkMaximum;

/** A command is decided within this time of its load; the request's deadline is far shorter. */
const longestBatchSeconds = 60;

/** The days in which a command that loads at `now` can be decided: one, around midnight two. */
export const daysFrom = (now: Instant): Day[] => [
  ...new Set([easternDay(now), easternDay(addSeconds(now, longestBatchSeconds))]),
];

/** Loads counters of a customer. */
export async function loadCounters(
  read: Read,
  customerId: string,
  keys: readonly CounterKey[],
): Promise<Counters> {
  const rows = await Promise.all(
    keys.map((key) => read.maybe(limitCounters, { customer_id: customerId, ...key })),
  );
  return new Map(keys.map((key, index) => [nameOf(key), rows[index] ?? null]));
}

function find(counters: Counters, key: CounterKey): CounterRow | null {
  const row = counters.get(nameOf(key));
  assert(row !== undefined, `the counter ${nameOf(key)} was loaded`);
  return row;
}

/** The amount that a counter holds, in cents. */
export const usedOf = (counters: Counters, key: CounterKey): number =>
  find(counters, key)?.used ?? 0;

/** Adds to a counter, at most up to a limit; creates it where nothing was counted yet. */
export function addToCounter(
  work: Work,
  counters: Counters,
  customer: LimitedCustomer,
  key: CounterKey,
  amountCents: number,
  atMost: number | null,
): void {
  const row = find(counters, key);
  if (row) work.add(row, amountCents, atMost);
  else {
    const values = { customer_id: customer.id, ...key, used: amountCents, at_most_cents: atMost };
    work.create(limitCounters, { ...values, rose_to_cents: amountCents });
  }
}

/**
 * Takes the amount of a failed or canceled record from the counter in which it was counted,
 * whatever day it is now (rules/limits#9).
 */
export function giveBack(work: Work, counter: CounterRow | null, amountCents: number): void {
  assert(counter !== null && counter.used >= amountCents, 'what is given back was counted');
  work.add(counter, -amountCents, null);
}

interface LimitRequest {
  readonly limit: LimitKey;
  readonly usedCents: number;
  readonly requestedCents: number;
  readonly resetsAt: Instant | null;
}

/** @throws ApiError limit_exceeded when the amount does not fit the Tenant's limit. */
export function assertWithinLimit(
  work: Work,
  customer: LimitedCustomer,
  request: LimitRequest,
): void {
  const maximum = work.tenant.settings.limits[request.limit][customer.type];
  if (maximum !== null && request.usedCents + request.requestedCents > maximum)
    throw limitExceeded({ ...request, maximum });
}

/** @throws ApiError limit_exceeded when no bank network takes the amount in one transfer. */
export function assertNetworkMaximum(amountCents: number): void {
  if (amountCents > networkMaximumCents)
    throw limitExceeded({
      limit: 'network_maximum',
      maximum: networkMaximumCents,
      usedCents: 0,
      requestedCents: amountCents,
      resetsAt: null,
    });
}

export const limitExceeded = (
  request: Omit<LimitRequest, 'limit'> & { limit: string; maximum: number },
) =>
  fail('limit_exceeded', {
    param: 'amount',
    details: {
      limit: request.limit,
      maximum: request.maximum,
      used: request.usedCents,
      requested: request.requestedCents,
      ...(request.resetsAt === null ? {} : { resets_at: request.resetsAt }),
    },
  });
