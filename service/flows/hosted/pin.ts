import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '../../core/command.ts';
import type { Engine } from '../../core/engine.ts';
import { ApiError, fail } from '../../core/fail.ts';
import { addSeconds } from '../../core/instant.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import {
  maximumPinAttempts,
  type PinRow,
  pins,
} from '../../resources/customers/credentials/pins.ts';
import { type CustomerRow, customers } from '../../resources/customers/table.ts';
import { answerOf } from './answer.ts';
import type { ComparePin } from './compare.ts';
import { assertOpen, type OfSession, type Opened, readOpened } from './opened.ts';

/**
 * The PIN in three steps (decisions 1.8, PIN): an attempt that is counted and committed, a compare
 * that holds no lock, a verdict that moves the record. A crash between them leaves the attempt spent.
 */

/** A compare never takes so long: what is still open then was lost with its process. */
const lostAfterSeconds = 60;

interface Attempted extends Opened {
  readonly customer: CustomerRow;
  readonly pin: PinRow | null;
}

async function readAttempt(read: Read, input: OfSession): Promise<Attempted> {
  const opened = await readOpened(read, input);
  const { customer_id } = opened.session;
  const [customer, pin] = await Promise.all([
    read.one(customers, customer_id),
    read.maybe(pins, customer_id),
  ]);
  return { ...opened, customer, pin };
}

/** Empty since its account closed, a PIN is none. */
function pinOf({ customer, pin }: Attempted): PinRow {
  if (pin && pin.hash !== '') return pin;
  throw fail('invalid_state', {
    details: { current_status: customer.status, allowed: [], reason: 'no_pin' },
  });
}

/** What an attempt answers: what to compare with, or null where no more may be compared. */
interface Attempt {
  readonly hash: string | null;
}

/** Counts an attempt before anything is compared, so that parallel tries cannot share one. */
const beginAttempt = (flows: readonly Flow[]) =>
  command('pin_attempt', {
    load: readAttempt,
    decide: (work: Work, rows: Attempted) => {
      assertOpen(work, rows.session, flows);
      const pin = pinOf(rows);
      const { customer } = rows;
      const isSpent = pin.attempts >= maximumPinAttempts;
      const { attempted_at } = pin;
      // Attempts that a crash left open are spent too: with all five the PIN is locked.
      const isLost =
        attempted_at !== null && addSeconds(attempted_at, lostAfterSeconds) <= work.now;
      if (isSpent && isLost) work.change(customer, { pin_locked: true });
      const mayTry = !customer.pin_locked && !isSpent;
      if (mayTry) work.change(pin, { attempts: pin.attempts + 1, attempted_at: work.now });
      const value: Attempt = { hash: mayTry ? pin.hash : null };
      return { value };
    },
  });

interface Compared extends OfSession {
  readonly isRight: boolean;
  /** What the PIN was compared with: another that was set meanwhile makes the verdict worthless. */
  readonly hash: string;
}

/** How it ended, as the page is told. */
export interface PinVerdict {
  readonly verdict: 'right' | 'wrong' | 'locked';
  readonly attempts_left: number;
}

function verdictOf(work: Work, rows: Attempted, { isRight, hash }: Compared): PinVerdict {
  const pin = pinOf(rows);
  const { customer, progress } = rows;
  if (customer.pin_locked) return { verdict: 'locked', attempts_left: 0 };
  if (isRight && pin.hash === hash) {
    work.change(pin, { attempts: 0, failures: 0 });
    work.change(progress, { pin_proven: true });
    return { verdict: 'right', attempts_left: maximumPinAttempts };
  }
  const failures = Math.min(pin.failures + 1, maximumPinAttempts);
  const attempts = Math.max(pin.attempts, failures);
  work.change(pin, { failures, attempts });
  if (failures < maximumPinAttempts)
    return { verdict: 'wrong', attempts_left: maximumPinAttempts - attempts };
  work.change(customer, { pin_locked: true });
  return { verdict: 'locked', attempts_left: 0 };
}

/** What a right PIN lets happen; throws where the record no longer allows it. */
export type OnRight<More> = (work: Work, opened: Opened, more: More) => void;

export interface PinUse<More> {
  readonly name: string;
  readonly flows: readonly Flow[];
  /** What `onRight` needs besides the session. */
  readonly load: (read: Read, opened: Opened) => Promise<More>;
  readonly onRight: OnRight<More>;
}

/** The verdict and what it lets happen, in one transaction. */
const verdictCommand = <More>({ name, flows, load, onRight }: PinUse<More>) =>
  command(name, {
    load: async (read, input: Compared) => {
      const rows = await readAttempt(read, input);
      return { rows, more: await load(read, rows) };
    },
    decide: (work, { rows, more }, input) => {
      const value = verdictOf(work, rows, input);
      if (value.verdict === 'right') {
        assertOpen(work, rows.session, flows);
        onRight(work, rows, more);
      }
      return { value };
    },
  });

/** The PIN was right and what it was given for is refused: the attempt was none. */
const forgiveAttempt = command('pin_forgive', {
  load: readAttempt,
  decide: (work, rows, input: Compared) => ({ value: verdictOf(work, rows, input) }),
});

/** Nothing was compared, so that the attempt was none: a crowd before it locks nobody out. */
const returnAttempt = command('pin_return', {
  load: readAttempt,
  decide: (work, { pin }: Attempted) => {
    if (pin && pin.attempts > pin.failures) work.change(pin, { attempts: pin.attempts - 1 });
    return { value: null };
  },
});

interface Parts {
  readonly engine: Pick<Engine, 'submit'>;
  readonly compare: ComparePin;
}

/** One try of a PIN. */
export type PinUseRun = (tenantId: string, sessionId: string, given: string) => Promise<PinVerdict>;

/**
 * A use of the PIN, whole.
 * @returns the verdict; where it is `right`, what it was given for has happened
 * @throws ApiError invalid_state: the session is over, or the record refuses the confirmation
 */
export function openPinUse<More>({ engine, compare }: Parts, use: PinUse<More>): PinUseRun {
  const attempt = beginAttempt(use.flows);
  const settle = verdictCommand(use);
  return async (tenantId, sessionId, given) => {
    const at = { tenantId, idempotency: null };
    const { hash } = await answerOf<Attempt>(
      engine.submit(attempt, { ...at, input: { sessionId } }),
    );
    if (hash === null) return { verdict: 'locked', attempts_left: 0 };
    const isRight = await compare(given, hash).catch(async (error) => {
      if (error instanceof ApiError)
        await engine.submit(returnAttempt, { ...at, input: { sessionId } });
      throw error;
    });
    const input = { sessionId, hash, isRight };
    try {
      return await answerOf<PinVerdict>(engine.submit(settle, { ...at, input }));
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      if (isRefused && input.isRight) await engine.submit(forgiveAttempt, { ...at, input });
      throw error;
    }
  };
}
