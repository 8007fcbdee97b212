import { randomUUID } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '../../service/core/command.ts';
import { openAccount } from '../../service/resources/accounts/moves.ts';
import { customers } from '../../service/resources/customers/table.ts';
import type { RaceHouse } from './race_house.ts';
import type { Person } from './race_people.ts';

const make = command('make', {
  load: async () => null,
  decide: (work, _l, i: { type: 'individual' | 'business'; cents: number; id: string; acct: string }) => {
    const c = work.create(customers, {
      id: i.id, type: i.type, external_ref: i.id, email: 'x@example.com', mobile_hmac: i.id, mobile_sealed: null, mobile_last4: '1234',
      given_name: 'A', family_name: 'B', legal_name: i.type === 'business' ? 'Shop' : null, trading_name: null, industry: null,
      owners_status: null, verification_updated_at: work.now, retry_available_at: null, rejections: 0, more_requested: false,
      identity_reference: null, account_id: i.acct, pin_set: true, pin_locked: false, onboarding_session_id: null, pin_reset_session_id: null,
      contact_change_session_id: null, terms_session_id: null, created_at: work.now,
    }, 'create');
    work.move(c, 'submit'); work.move(c, 'approve');
    openAccount(work, i.acct, c as never);
    if (i.cents) work.post({ type: 'load', id: work.newId() }, { recipe: 'load_settled', parties: { holder: i.acct }, amounts: { amount: i.cents }, counterparts: { holder: null }, description: null });
    return { value: null };
  },
});
export async function seed(house: RaceHouse, type: 'individual' | 'business', cents: number): Promise<Person> {
  const id = randomUUID(), acct = randomUUID();
  await house.send(make, { type, cents, id, acct }, { via: 0 });
  return { customerId: publicId('customer', id), accountId: acct };
}
