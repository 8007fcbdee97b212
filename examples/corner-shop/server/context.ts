import type { Client, PaymentCreateParams } from '@tenant-payments/sdk-server';
import type { Flow, Target } from '../records.ts';
import type { Orders } from './orders.ts';

/** The context that the shop's actions work with. */
export interface Context {
  readonly client: Client;
  readonly orders: Orders;
  /** The page's own address, registered as a return address. */
  readonly shopUrl: string;
  /** A sandbox's clock may be ahead of real time; in production it is real time. */
  readonly now: () => Date;
}

/** The input that the pages send; the service refuses values of another shape. */
export interface Input
  extends Readonly<Record<'ref' | 'id' | 'text' | 'date', string>>,
    Readonly<Record<'amount' | 'order', number>> {
  readonly quantities: Readonly<Record<string, number>>;
  readonly source: PaymentCreateParams['source'];
  readonly flow: Flow;
  readonly target: Target;
  readonly account: string | null;
}

/** The actions that the pages can have the server do, by name: `POST /shop/api/<name>`. */
export type Actions<I = Input> = Readonly<Record<string, (input: I) => Promise<unknown>>>;

/** The service's id of a customer. @param ref the Tenant's own name of it (`external_ref`) */
export async function idOf({ client }: Context, ref: string): Promise<string> {
  const [customer] = (await client.customers.list({ external_ref: ref })).data;
  if (!customer) throw new Error(`no customer has the external_ref ${ref}`);
  return customer.id;
}
