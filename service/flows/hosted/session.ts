import { command } from '../../core/command.ts';
import { changeContact } from '../../resources/customers/contact.ts';
import { type CustomerRow, customers } from '../../resources/customers/table.ts';
import { completeSession } from '../../resources/sessions/open.ts';
import { nothingProven } from '../../resources/sessions/progress.ts';
import { completeConfirmation } from '../complete.ts';
import { decline, leave } from '../session_end.ts';
import { assertCode, provenMobile } from './codes.ts';
import { assertOpen, readOpened } from './opened.ts';
import type { PinUse } from './pin.ts';

/** The customer leaves; the record stays until its deadline. @throws ApiError invalid_state */
export const leaveSession = command('leave_session', {
  load: readOpened,
  decide: (work, { session, target }) => {
    assertOpen(work, session);
    leave(work, session, target);
    return { value: null };
  },
});

/** The customer declines the record. @throws ApiError invalid_state */
export const declineRecord = command('decline_record', {
  load: readOpened,
  decide: (work, { session, target }) => {
    assertOpen(work, session, ['payment_confirm']);
    decline(work, session, target);
    return { value: null };
  },
});

/** A right PIN confirms the record. */
export const confirmByPin: PinUse<null> = {
  name: 'confirm_by_pin',
  flows: ['payment_confirm'],
  load: async () => null,
  onRight: (work, { session, target }) => {
    if (target) completeConfirmation(work, session, target);
  },
};

/** A right PIN takes the address or number that a code has proven. */
export const changeContactByPin: PinUse<CustomerRow> = {
  name: 'change_contact_by_pin',
  flows: ['contact_change'],
  load: (read, { session }) => read.one(customers, session.customer_id),
  onRight: (work, opened, customer) => {
    assertCode(opened);
    const { proven_email: email } = opened.progress;
    const mobile = provenMobile(opened);
    changeContact(work, customer, {
      ...(email === null ? {} : { email }),
      ...(mobile ? { mobile } : {}),
    });
    work.change(opened.progress, nothingProven);
    completeSession(work, opened.session, customer.status);
  },
};
