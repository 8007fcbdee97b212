import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { ApiError, fail, unavailable } from '@tenant-payments/engine/fail.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import pLimit from 'p-limit';
import { setPinLocked } from '../../../resources/customers/credentials/pin_lock.ts';
import {
  hashPin,
  isPin,
  isPresentHash,
  maximumPinAttempts,
  type PinHolder,
  type PinRow,
  pins,
} from '../../../resources/customers/credentials/pins.ts';
import { type CustomerRow, customers } from '../../../resources/customers/table.ts';
import { answerOf } from '../answer.ts';
import type { PageCaller } from '../caller.ts';
import {
  assertOpen,
  loadOpenedSession,
  type OfSession,
  type OpenedSession,
  refusal,
} from '../session.ts';

/**
 * A PIN is tried in three steps (rules/hosted#11): 1. count the attempt and commit, 2. compare
 * outside any batch, 3. act on the result. A crash between them leaves the attempt spent.
 */

/** No compare takes so long: an attempt that is still open then was lost, with its process or its database. */
const lostAfterSeconds = 60;
/** Compares are slow by design. What waits beyond this is refused with 503. */
const comparesAtOnce = 2;
const maximumWaiting = 64;

/** The rows that every step reads. */
interface PinRows extends OpenedSession {
  readonly customer: CustomerRow;
  readonly pin: PinRow | null;
}

/** The PIN of an attempt: if it was changed since, the attempt is worth nothing and counts for nothing. */
interface OfPin {
  readonly generation: number;
}

/** Step 1: the hash to compare with; null when the PIN is locked. */
interface Attempt extends OfPin {
  readonly customerId: string;
  readonly hash: string | null;
}

/** Step 2. */
interface Comparison extends OfSession, OfPin, Compared {
  /** Its hash: another try of the same PIN may have renewed it since. */
  readonly hash: string;
}

/** Step 3, as the page receives it. */
export interface PinResult {
  readonly verdict: 'right' | 'wrong' | 'locked';
  readonly attempts_left: number;
  /** This attempt locked it. The page is not told. */
  readonly locks?: true;
}

/** A use of a right PIN. */
export interface PinUse {
  readonly name: string;
  readonly flows: readonly Flow[];
  /** @throws ApiError where the record no longer allows it */
  readonly onRight: (work: Work, rows: PinRows) => void;
}

const locked: PinResult = { verdict: 'locked', attempts_left: 0 };
const locksNow: PinResult = { ...locked, locks: true };

async function readPin(read: Read, input: OfSession): Promise<PinRows> {
  const opened = await loadOpenedSession(read, input);
  const { customer_id } = opened.session;
  const [customer, pin] = await Promise.all([
    read.one(customers, customer_id),
    read.maybe(pins, customer_id),
  ]);
  return { ...opened, customer, pin };
}

/** The hash is emptied when the account closes: then there is no PIN. */
function pinOf({ customer, pin }: PinRows): PinRow {
  if (pin && pin.hash !== '') return pin;
  throw fail('invalid_state', {
    details: { current_status: customer.status, allowed: [], reason: 'no_pin' },
  });
}

/** Step 1. Committed before the compare, so that parallel tries cannot share one attempt. */
const countAttempt = (flows: readonly Flow[]) =>
  command('pin_attempt', {
    load: readPin,
    decide: (work: Work, rows: PinRows) => {
      assertOpen(work, rows.session, flows);
      const pin = pinOf(rows);
      const { id: customerId, pin_locked } = rows.customer;
      const { generation, hash, attempted_at } = pin;
      if (pin_locked) return { value: { customerId, generation, hash: null } satisfies Attempt };
      // Nobody was told how a lost attempt ended, so that it taught nobody anything (rules/hosted#12).
      const isLost =
        attempted_at !== null && addSeconds(attempted_at, lostAfterSeconds) <= work.now;
      const attempts = isLost ? pin.failures : pin.attempts;
      if (attempts >= maximumPinAttempts)
        throw unavailable('the tries before this one are not decided', lostAfterSeconds);
      work.change(pin, { attempts: attempts + 1, attempted_at: work.now });
      return { value: { customerId, generation, hash } satisfies Attempt };
    },
  });

interface Compared {
  readonly isRight: boolean;
  /** The hash that takes the place of one of an older pepper or scheme (rules/hosted#10). */
  readonly renewed: string | null;
}

export type ComparePin = (holder: PinHolder, pin: string, hash: string) => Promise<Compared>;

/** Step 2. @throws ApiError 503 when too many wait */
export function openComparing(peppers: KeyRing): ComparePin {
  const limit = pLimit(comparesAtOnce);
  async function compare(holder: PinHolder, pin: string, hash: string): Promise<Compared> {
    const isRight = await isPin(peppers, holder, pin, hash);
    const isOld = isRight && !isPresentHash(peppers, hash);
    return { isRight, renewed: isOld ? await hashPin(peppers, holder, pin) : null };
  }
  return async (...given) => {
    if (limit.activeCount + limit.pendingCount >= comparesAtOnce + maximumWaiting)
      throw unavailable('too many PINs are being compared');
    return limit(() => compare(...given));
  };
}

/**
 * Step 3, the counts: a right PIN sets them to 0, the fifth wrong one locks.
 * @throws ApiError invalid_state {reason: pin_required}: another PIN was set meanwhile (rules/hosted#14)
 */
function settle(
  work: Work,
  rows: PinRows,
  { isRight, generation, hash, renewed }: Comparison,
): PinResult {
  const pin = pinOf(rows);
  const { customer, progress } = rows;
  if (customer.pin_locked) return locked;
  if (pin.generation !== generation) throw refusal('pin_required');
  if (isRight) {
    const isRenewed = renewed !== null && pin.hash === hash;
    work.change(pin, { attempts: 0, failures: 0, ...(isRenewed ? { hash: renewed } : {}) });
    work.change(progress, { proven_pin: pin.generation });
    return { verdict: 'right', attempts_left: maximumPinAttempts };
  }
  const failures = Math.min(pin.failures + 1, maximumPinAttempts);
  const attempts = Math.max(pin.attempts, failures);
  work.change(pin, { failures, attempts });
  if (failures < maximumPinAttempts)
    return { verdict: 'wrong', attempts_left: maximumPinAttempts - attempts };
  setPinLocked(work, customer);
  return locksNow;
}

/** Step 3, whole: the counts and what a right PIN is given for, in one transaction. */
const actOnResult = ({ name, flows, onRight }: PinUse) =>
  command(name, {
    load: readPin,
    decide: (work: Work, rows: PinRows, comparison: Comparison) => {
      const value = settle(work, rows, comparison);
      if (value.verdict === 'right') {
        assertOpen(work, rows.session, flows);
        onRight(work, rows);
      }
      return { value };
    },
  });

/** Step 3 where `onRight` refused: the PIN was right all the same (rules/hosted#14). */
const forgiveAttempt = command('pin_forgive', {
  load: readPin,
  decide: (work: Work, rows: PinRows, comparison: Comparison) => ({
    value: settle(work, rows, comparison),
  }),
});

/** Instead of step 3 where nothing was compared: a crowd locks no customer out. */
const returnAttempt = command('pin_return', {
  load: readPin,
  decide: (work: Work, { pin }: PinRows, { generation }: OfSession & OfPin) => {
    const isOpen = pin && pin.generation === generation && pin.attempts > pin.failures;
    if (isOpen) work.change(pin, { attempts: pin.attempts - 1 });
    return { value: null };
  },
});

interface Dependencies {
  readonly engine: Pick<Engine, 'submit'>;
  readonly compare: ComparePin;
}

export type TryPin = (
  caller: Pick<PageCaller, 'tenantId' | 'sessionId' | 'actor'>,
  pin: string,
) => Promise<PinResult>;

/**
 * The three steps for one use of the PIN.
 * @returns the result; where it is `right`, what the PIN was given for has happened
 * @throws ApiError invalid_state: the session is over, or the record refuses; 503
 */
export function openPinUse({ engine, compare }: Dependencies, use: PinUse): TryPin {
  const count = countAttempt(use.flows);
  const act = actOnResult(use);
  return async ({ tenantId, sessionId, actor }, pin) => {
    const session = { tenantId, actor, input: { sessionId } };
    const { customerId, hash, generation } = await answerOf<Attempt>(engine.submit(count, session));
    if (hash === null) return locked;
    const compared = await compare({ tenantId, customerId }, pin, hash).catch(async (error) => {
      const input = { sessionId, generation };
      if (error instanceof ApiError) await engine.submit(returnAttempt, { ...session, input });
      throw error;
    });
    const result = { tenantId, actor, input: { sessionId, hash, generation, ...compared } };
    try {
      return await answerOf<PinResult>(engine.submit(act, result));
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 500;
      if (isRefusal && compared.isRight) await engine.submit(forgiveAttempt, result);
      throw error;
    }
  };
}
