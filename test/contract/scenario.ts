import { type Api, openApi } from '../kit/api.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import type { Person } from '../kit/person.ts';
import { until } from '../kit/wait.ts';

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Records of one Tenant, made over the public interface alone, so on any sandbox. */
export interface Scenario {
  readonly api: Api;
  readonly token: string;
  /** The Tenant's own; null: unknown. */
  readonly credentials: Credentials | null;
  /** An individual with a verified bank and money. */
  readonly payer: Person;
  /** A business with a verified bank and money. */
  readonly shop: Person;
  readonly load: ReplyBody;
  /** Waits for its confirmation. */
  readonly payment: ReplyBody;
  readonly completed: ReplyBody;
  readonly request: ReplyBody;
  readonly eventId: string;
  /** A moment that has passed on the Tenant's clock. */
  readonly now: string;
}

/** Settings with which each case can be made. */
export const everyFlow = (on: boolean) => ({
  flows: {
    customers_individual: on,
    customers_business: on,
    loads: on,
    payment_requests: on,
    payments_balance: on,
    payments_bank: on,
    merchant_to_merchant: on,
  },
});
export const playable = {
  ...everyFlow(true),
  fees: [],
  confirmation_grace_seconds: 0,
  sandbox_mode: 'manual',
};

/** Goes from the first customer to a completed payment, some forty requests. */
export async function playScenario(
  baseUrl: string,
  token: string,
  credentials: Credentials | null = null,
): Promise<Scenario> {
  const api = openApi(baseUrl, token);
  const [payer, shop] = await Promise.all([api.banked('individual'), api.banked('business')]);
  await api.fund(shop, 1_000_00);
  const load = await api.played(api.load(payer, 3_000_00), 'session.completed', 'load.settled');
  const completed = await api.confirmed(api.pay(payer, shop, 200_00));
  const payment = await api.pay(payer, shop, 1_00);
  const request = await api.request(shop, 5_00, { expires_in: 604_800 });
  const [{ id: eventId }] = (await api.get('/v1/webhook-events?limit=1')).data;
  const now = payment.created_at;
  const records = { payer, shop, load, payment, completed, request, eventId, now };
  return { api, token, credentials, ...records };
}

/** Closes an empty account: what is due runs with a simulation, or a worker of the deployment is first. */
export async function closeEmpty(api: Api, { customerId }: Person): Promise<void> {
  await api.close({ customerId });
  await api.simulate('customer.pin_locked', customerId);
  const isClosed = async () =>
    (await api.get(`/v1/accounts?customer_id=${customerId}`)).data[0].status === 'closed';
  await until(isClosed, { what: 'the closing', withinMs: 5_000, everyMs: 50 });
}
