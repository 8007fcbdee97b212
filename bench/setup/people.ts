import type { Call } from '../load/callers.ts';
import { forEachOver } from '../load/callers.ts';
import { freshKey } from '../load/requests.ts';
import { fundsCents, setupConnections } from './population.ts';
import type { BenchTenant } from './tenants.ts';

/** The customers of one tenant, by their ids. */
export interface People {
  readonly tenant: BenchTenant;
  readonly payers: readonly string[];
  readonly merchants: readonly string[];
}

interface NewCustomer {
  readonly tenant: BenchTenant;
  readonly kind: 'payer' | 'merchant';
  readonly number: number;
}

export interface Created {
  readonly id: string;
  readonly onboarding_session: { readonly id: string };
  readonly confirmation_session: { readonly id: string };
  /** The code of a payment request. */
  readonly qr_payload: string;
}

export type Post = (path: string, body: object, wantedStatus: number) => Promise<Created>;

/** The requests of one tenant, each with a new idempotency key. */
export function poster(call: Call, { token }: BenchTenant): Post {
  return async (path, body, wantedStatus) => {
    const request = { method: 'POST', path, token, body, idempotencyKey: freshKey() } as const;
    return (await call(request, wantedStatus)) as Created;
  };
}

export const simulate = (post: Post, event: string, objectId: string) =>
  post(`/v1/sandbox/simulate/${event}`, { object_id: objectId }, 202);

/** Creates a customer with the calls that every Tenant makes in its sandbox. */
async function register(post: Post, { kind, number }: NewCustomer): Promise<string> {
  const isPayer = kind === 'payer';
  const reference = `bench-${kind}-${number}`;
  const created = await post(
    '/v1/customers',
    {
      type: isPayer ? 'individual' : 'business',
      external_ref: reference,
      email: `${reference}@example.com`,
      mobile_number: `+1212${(isPayer ? 2_000_000 : 3_000_000) + number}`,
      prefill: isPayer
        ? { first_name: 'Bench', last_name: `Payer ${number}` }
        : { legal_name: `Bench Shop ${number} LLC` },
    },
    201,
  );
  await simulate(post, 'session.completed', created.onboarding_session.id);
  return created.id;
}

async function makePayer(post: Post, customer: NewCustomer): Promise<string> {
  const id = await register(post, customer);
  await simulate(post, 'customer.approved', id);
  const publicToken = `public-sandbox-standard-${customer.number}`;
  const links = `/v1/customers/${id}/linked-accounts`;
  const link = await post(links, { public_token: publicToken }, 201);
  await simulate(post, 'linked_account.verified', link.id);
  const load = await post('/v1/loads', { customer_id: id, amount: fundsCents }, 201);
  await simulate(post, 'session.completed', load.confirmation_session.id);
  await simulate(post, 'load.settled', load.id);
  return id;
}

async function makeMerchant(call: Call, post: Post, customer: NewCustomer): Promise<string> {
  const id = await register(post, customer);
  const path = `/v1/customers/${id}/owners`;
  const owners = await call({ method: 'GET', path, token: customer.tenant.token }, 200);
  for (const owner of (owners as { data: { id: string }[] }).data)
    await simulate(post, 'owner.approved', owner.id);
  await simulate(post, 'customer.approved', id);
  return id;
}

/** Creates the customers of a tenant through the API, approved, and the payers with money. */
export async function preparePeople(
  port: number,
  tenant: BenchTenant,
  { payers, merchants }: { readonly payers: number; readonly merchants: number },
): Promise<People> {
  const list = (kind: NewCustomer['kind'], length: number): NewCustomer[] =>
    Array.from({ length }, (_, number) => ({ tenant, kind, number }));
  const work = (call: Call, customer: NewCustomer) => {
    const post = poster(call, tenant);
    return customer.kind === 'payer'
      ? makePayer(post, customer)
      : makeMerchant(call, post, customer);
  };
  return {
    tenant,
    payers: await forEachOver(port, setupConnections, list('payer', payers), work),
    merchants: await forEachOver(port, setupConnections, list('merchant', merchants), work),
  };
}
