import { uuid } from '../kit/ids.ts';
import { recordOf, type Sender } from './sender.ts';

/** An approved customer with an open account. */
export interface Person {
  readonly type: 'individual' | 'business';
  /** The id as the wire writes it. */
  readonly customerId: string;
  /** The account's uuid. */
  readonly accountId: string;
}

const firstMobileNumber = 12_025_550_100;
let people = 0;

/** Made as a Tenant makes them, with an empty account. */
async function openCustomer(sender: Sender, type: Person['type']): Promise<Person> {
  const { commands, send, simulate, query } = sender;
  const index = people++;
  const customer = recordOf(
    await send(commands.createCustomer, {
      type,
      external_ref: `customer-${index}`,
      email: `customer-${index}@example.com`,
      mobile_number: `+${firstMobileNumber + index}`,
    }),
  );
  recordOf(await simulate('customer.pending', customer.id));
  const owners = await query<{ id: string }>(
    `select 'own_' || replace(id::text, '-', '') as id from owners
     where tenant_id = $1 and customer_id = $2`,
    uuid('customer', customer.id),
  );
  for (const { id } of owners) recordOf(await simulate('owner.approved', id));
  recordOf(await simulate('customer.approved', customer.id));
  const [account] = await query<{ id: string }>(
    'select id from accounts where tenant_id = $1 and customer_id = $2',
    uuid('customer', customer.id),
  );
  if (!account) throw new Error('an approved customer has no account');
  return { type, customerId: customer.id, accountId: account.id };
}

/** Links a bank account that can do everything, and verifies it. */
export async function linkBank(sender: Sender, { customerId }: Person): Promise<void> {
  const { commands, send, simulate } = sender;
  const public_token = 'public-sandbox-standard';
  const link = recordOf(await send(commands.createLinkedAccount, { id: customerId, public_token }));
  recordOf(await simulate('linked_account.verified', link.id));
}

/** Loads from a linked bank, which then has paid. */
async function load(sender: Sender, person: Person, cents: number): Promise<void> {
  const { commands, send, simulate } = sender;
  const { customerId } = person;
  await linkBank(sender, person);
  const made = recordOf(
    await send(commands.createLoad, { customer_id: customerId, amount: cents }),
  );
  recordOf(await simulate('session.completed', made.id));
  recordOf(await simulate('load.settled', made.id));
}

/** Opens `count` customers, each with this balance. */
export const openPeople = (
  sender: Sender,
  count: number,
  type: Person['type'],
  cents: number,
): Promise<Person[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const person = await openCustomer(sender, type);
      if (cents > 0) await load(sender, person, cents);
      return person;
    }),
  );
