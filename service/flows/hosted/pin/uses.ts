import { changeContact } from '../../../resources/customers/contact.ts';
import { completeSession } from '../../../resources/sessions/open.ts';
import { noProvenContact } from '../../../resources/sessions/progress.ts';
import { confirm } from '../../confirm.ts';
import { assertCode, provenMobile } from '../codes.ts';
import { refusal } from '../session.ts';
import type { PinUse } from './pin.ts';

/** A right PIN confirms the record. */
export const confirmByPin: PinUse = {
  name: 'confirm_by_pin',
  flows: ['payment_confirm'],
  onRight: (work, { session, target }) => {
    if (target) confirm(work, session, target);
  },
};

/** A right PIN takes the address or number that a code has proven. */
export const changeContactByPin: PinUse = {
  name: 'change_contact_by_pin',
  flows: ['contact_change'],
  onRight: (work, opened) => {
    const { session, progress, customer } = opened;
    assertCode(opened, customer);
    const { proven_email: email } = progress;
    const mobile = provenMobile(opened);
    // A code to the present number serves a reset of the PIN alone.
    if (email === null && !mobile) throw refusal('code_required');
    changeContact(work, customer, {
      ...(email === null ? {} : { email }),
      ...(mobile ? { mobile } : {}),
    });
    work.change(progress, noProvenContact);
    completeSession(work, session, customer.status);
  },
};
