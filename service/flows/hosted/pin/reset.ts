import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { resetPin as contract } from '@tenant-payments/contract/hosted/flows.ts';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import type { Identity, IdentityAnswers } from '../../../rails/identity.ts';
import { passkeys, removePasskeys } from '../../../resources/customers/credentials/passkeys.ts';
import { unlockPin } from '../../../resources/customers/credentials/pin_lock.ts';
import {
  assertPin,
  hashPin,
  maximumResetFailures,
  type PinRow,
  pins,
} from '../../../resources/customers/credentials/pins.ts';
import { type CustomerRow, customers } from '../../../resources/customers/table.ts';
import { completeSession } from '../../../resources/sessions/open.ts';
import { answerOf } from '../answer.ts';
import type { PageCaller } from '../caller.ts';
import { assertOwnCode } from '../codes.ts';
import {
  assertOpenForReset,
  loadOpenedSession,
  type OfSession,
  type OpenedSession,
  refusal,
} from '../session.ts';

/**
 * A new PIN after mobile code and identity answers (rules/hosted#18). As with a PIN, a try is counted
 * and committed before the compare: 1. count, 2. let the provider compare, 3. set the PIN.
 */

/** The tries that a proven code is good for. */
const triesOfCode = 5;

interface Dependencies {
  readonly engine: Pick<Engine, 'submit'>;
  readonly db: Kysely<Database>;
  readonly identity: Pick<Identity, 'matches'>;
  readonly pinPeppers: KeyRing;
}

type Given = BodyOf<typeof contract>;
type Customer = Pick<CustomerRow, 'id' | 'type' | 'identity_reference'>;

/** The person who acts for a business: its one control person, whom the provider has approved. */
const controlPersonOf = (db: Kysely<Database>, tenantId: string, customerId: string) =>
  db
    .selectFrom('owners')
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', customerId)
    .where('role', '<>', 'owner')
    .where('status', '=', 'approved')
    .select(['id', 'identity_reference'])
    .executeTakeFirst();

/**
 * The questions for the provider: an individual's own; of a business the control person's and the
 * EIN. @throws ApiError parameter_missing, parameter_invalid, invalid_state {no_control_person}
 */
async function questionsOf(
  { db }: Dependencies,
  tenantId: string,
  { id, type, identity_reference: reference }: Customer,
  { birth_date: birthDate, ssn_last4: ssnLast4, ein = null }: Given,
): Promise<IdentityAnswers[]> {
  const customer = { tenantId, subject: 'customer', subjectId: id, reference } as const;
  const answers = { birthDate, ssnLast4 };
  if (type === 'individual') {
    if (ein !== null)
      throw fail('parameter_invalid', { param: 'ein', details: { reason: 'type' } });
    return [{ ...customer, answers }];
  }
  if (ein === null) throw fail('parameter_missing', { param: 'ein' });
  const person = await controlPersonOf(db, tenantId, id);
  if (!person) throw refusal('no_control_person');
  const { id: subjectId, identity_reference } = person;
  return [
    { ...customer, answers: { ein } },
    { tenantId, subject: 'owner', subjectId, reference: identity_reference, answers },
  ];
}

async function loadReset(read: Read, input: OfSession) {
  const opened = await loadOpenedSession(read, input);
  const { customer_id } = opened.session;
  const [customer, pin, keys] = await Promise.all([
    read.one(customers, customer_id),
    read.one(pins, customer_id),
    read.set(passkeys, 'customer_id', customer_id),
  ]);
  return { opened, customer, pin, keys };
}

interface Resetting {
  readonly opened: OpenedSession;
  readonly customer: CustomerRow;
  readonly pin: PinRow | null;
}

/** @throws ApiError invalid_state {code_required, no_pin, reset_closed} */
function assertMayReset(work: Work, { opened, customer, pin }: Resetting): void {
  assertOpenForReset(work, opened.session, customer);
  if (!opened.progress.code_verified) throw refusal('code_required');
  assertOwnCode(opened, customer);
  // Emptied once the account has closed.
  if (!pin || pin.hash === '') throw refusal('no_pin');
  if (pin.reset_failures >= maximumResetFailures) throw refusal('reset_closed');
}

/** Before the answers are looked at, so that a page without a code learns nothing by them. */
const mayReset = command('may_reset', {
  load: async (read, input: OfSession) => {
    const opened = await loadOpenedSession(read, input);
    const { customer_id } = opened.session;
    const [customer, pin] = await Promise.all([
      read.one(customers, customer_id),
      read.maybe(pins, customer_id),
    ]);
    return { opened, customer, pin };
  },
  decide: (work, rows) => {
    assertMayReset(work, rows);
    return { value: null };
  },
});

/**
 * Step 1. A proven code is good for five tries, and a customer has ten that fail in a lifetime, so
 * that an identity cannot be guessed. It answers whether this try is the last.
 * @throws ApiError invalid_state {code_required, reset_closed}
 */
const countTry = command('identity_try', {
  load: loadReset,
  decide: (work, rows: Awaited<ReturnType<typeof loadReset>>) => {
    assertMayReset(work, rows);
    const { opened, pin } = rows;
    const { progress } = opened;
    const tries = progress.code_tries + 1;
    work.change(progress, { code_tries: tries, code_verified: tries < triesOfCode });
    const failures = pin.reset_failures + 1;
    work.change(pin, { reset_failures: failures });
    return { value: failures >= maximumResetFailures };
  },
});

/** Instead of step 3, where no answer was found wrong: the try is given back. */
const returnTry = command('identity_return', {
  load: loadReset,
  decide: (work, { pin }: Awaited<ReturnType<typeof loadReset>>) => {
    work.change(pin, { reset_failures: Math.max(0, pin.reset_failures - 1) });
    return { value: null };
  },
});

interface NewPin extends OfSession {
  readonly customerId: string;
  readonly pin: string;
}

/** Step 3. @throws ApiError invalid_state */
const setNewPin = (pinPeppers: KeyRing) =>
  command('reset_pin', {
    prepare: ({ pin, customerId }: NewPin, { tenantId }) =>
      hashPin(pinPeppers, { tenantId, customerId }, pin),
    load: loadReset,
    decide: (work, { opened, customer, pin, keys }, _input, hash) => {
      assertOpenForReset(work, opened.session, customer);
      // That it was proven was checked in step 1: the fifth try uses it up.
      assertOwnCode(opened, customer);
      unlockPin(work, customer, pin, hash);
      work.change(pin, { reset_failures: Math.max(0, pin.reset_failures - 1) });
      // Whoever had the old PIN may have added a passkey; the one that proved itself here stays.
      const { proven_passkey_id: kept } = opened.progress;
      removePasskeys(
        work,
        customer,
        keys.filter(({ id }) => id !== kept),
      );
      work.change(opened.progress, { proven_pin: pin.generation, code_verified: false });
      // Another flow goes on with the new PIN.
      if (opened.session.flow === 'pin_reset')
        completeSession(work, opened.session, customer.status);
      return { value: null };
    },
  });

const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500;

/**
 * Resets the PIN of a page's customer.
 * @throws ApiError parameter_missing, parameter_invalid {reason: no_match}, invalid_state
 */
export function openPinReset(parts: Dependencies) {
  const { engine, identity, pinPeppers } = parts;
  const setPin = setNewPin(pinPeppers);
  return async ({ tenantId, sessionId, tell }: PageCaller, customer: Customer, given: Given) => {
    const ofSession = { tenantId, input: { sessionId } };
    const giveBack = () => engine.submit(returnTry, ofSession);
    await engine.submit(mayReset, ofSession);
    assertPin(given.pin);
    const questions = await questionsOf(parts, tenantId, customer, given);
    const isLast = await answerOf<boolean>(engine.submit(countTry, ofSession));
    // All are asked, so that nobody learns which of the answers was wrong.
    const verdicts = await Promise.all(questions.map((each) => identity.matches(each))).catch(
      async (error) => {
        await giveBack();
        throw error;
      },
    );
    if (verdicts.includes(false)) {
      if (isLast) tell('pin_reset_closed');
      throw fail('parameter_invalid', { param: 'ssn_last4', details: { reason: 'no_match' } });
    }
    const input = { sessionId, customerId: customer.id, pin: given.pin };
    await engine.submit(setPin, { tenantId, input }).catch(async (error) => {
      if (isRefusal(error)) await giveBack();
      throw error;
    });
  };
}
