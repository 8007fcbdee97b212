import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type { Flow, Target } from '@tenant-payments/contract/resources/sessions.ts';
import type { Client } from '@tenant-payments/sdk-server';
import type { Orders } from './orders.ts';

/** What the shop works with. */
export interface Around {
  readonly client: Client;
  readonly orders: Orders;
  /** The page's own address, registered as a return address. */
  readonly shopUrl: string;
  /** A sandbox's clock may be ahead; in production it is the world's. */
  readonly now: () => Date;
}

/** What the pages send; whatever has another shape the service refuses. */
export interface Input
  extends Readonly<Record<'ref' | 'id' | 'text' | 'date', string>>,
    Readonly<Record<'amount' | 'order', number>> {
  readonly quantities: Readonly<Record<string, number>>;
  readonly source: Payment['source'];
  readonly flow: Flow;
  readonly target: Target | null;
  readonly account: string | null;
}

export type Verbs<I = Input> = Readonly<Record<string, (input: I) => Promise<unknown>>>;

/** @param ref the tenant's own name of its customer */
export async function idOf({ client }: Around, ref: string): Promise<string> {
  const [customer] = (await client.customers.list({ external_ref: ref })).data;
  if (!customer) throw new Error(`there is no ${ref}`);
  return customer.id;
}
