import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { resetPin as contract } from '@tenant-payments/contract/hosted/flows.ts';
import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import type { KeyRing } from '../../../core/key_ring.ts';
import type { Identity } from '../../../rails/identity.ts';
import { unlockPin } from '../../../resources/customers/credentials/pin_lock.ts';
import { assertPin, hashPin, pins } from '../../../resources/customers/credentials/pins.ts';
import { type CustomerRow, customers } from '../../../resources/customers/table.ts';
import { completeSession } from '../../../resources/sessions/open.ts';
import { assertCode } from '../codes.ts';
import { assertOpen, loadOpenedSession, type OfSession } from '../session.ts';

const maximumTries = 5;

interface Dependencies {
  readonly identity: Pick<Identity, 'matches'>;
  readonly pinPeppers: KeyRing;
}

type Reset = BodyOf<typeof contract> &
  OfSession & {
    readonly customer: Pick<CustomerRow, 'id' | 'type' | 'identity_reference'>;
  };

/**
 * Lets the provider compare the answers: birth date and tax number are not stored here
 * (rules/hosted#18). @throws ApiError parameter_missing, parameter_invalid {reason: no_match}
 */
async function assertIdentity(
  identity: Dependencies['identity'],
  tenantId: string,
  { customer, birth_date: birthDate = null, tax_id_last4: taxIdLast4 }: Reset,
): Promise<void> {
  if (customer.type === 'individual' && birthDate === null)
    throw fail('parameter_missing', { param: 'birth_date' });
  const { id: subjectId, identity_reference: reference } = customer;
  const facts = { tenantId, subject: 'customer', subjectId, reference } as const;
  if (await identity.matches({ ...facts, birthDate, taxIdLast4 })) return;
  throw fail('parameter_invalid', { param: 'tax_id_last4', details: { reason: 'no_match' } });
}

/**
 * A new PIN, which unlocks: mobile code and identity check come first (rules/hosted#15). It runs
 * after `countIdentityTry`, so that an identity cannot be guessed with one code.
 * @throws ApiError parameter_missing, parameter_invalid, invalid_state
 */
export const resetPin = ({ identity, pinPeppers }: Dependencies) =>
  command('reset_pin', {
    prepare: async (input: Reset, { tenantId }) => {
      assertPin(input.pin);
      await assertIdentity(identity, tenantId, input);
      return hashPin(pinPeppers, { tenantId, customerId: input.customer.id }, input.pin);
    },
    load: async (read, input) => {
      const opened = await loadOpenedSession(read, input);
      const { customer_id } = opened.session;
      const [customer, pin] = await Promise.all([
        read.one(customers, customer_id),
        read.one(pins, customer_id),
      ]);
      return { opened, customer, pin };
    },
    decide: (work, { opened, customer, pin }, _input, hash) => {
      // The code was checked where the try was counted: the fifth try uses it up.
      assertOpen(work, opened.session, ['pin_reset']);
      unlockPin(work, customer, pin, hash);
      work.change(opened.progress, { pin_proven: true });
      completeSession(work, opened.session, customer.status);
      return { value: null };
    },
  });

/**
 * Counts a try before the provider is called; a proven code is good for five tries.
 * @throws ApiError invalid_state {reason?: code_required}
 */
export const countIdentityTry = command('identity_try', {
  load: loadOpenedSession,
  decide: (work, opened: Awaited<ReturnType<typeof loadOpenedSession>>) => {
    const { session, progress } = opened;
    assertOpen(work, session, ['pin_reset']);
    assertCode(opened);
    const tries = progress.code_tries + 1;
    work.change(progress, { code_tries: tries, code_verified: tries < maximumTries });
    return { value: null };
  },
});
