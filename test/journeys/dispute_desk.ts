import type { ReplyBody } from '../kit/http.ts';
import type { Wire } from '../kit/wire.ts';
import type { Actor } from './cast.ts';
import type { Stage } from './journey.ts';
import { newYork } from './new_york.ts';
import { dollars } from './story.ts';

/** A notice that the Tenant forwards an hour after its customer gave it. */
export async function forward(
  { wire }: Pick<Stage, 'wire'>,
  { customerId }: Actor,
  notice: { type: string; payment_id: string; description: string },
): Promise<ReplyBody> {
  const { now } = await wire.get('/portal/api/clock');
  const notice_received_at = new Date(Date.parse(now) - 3_600_000).toISOString();
  return wire.post('/v1/disputes', { customer_id: customerId, notice_received_at, ...notice });
}

/** The case behind a dispute, as the portal shows it: amounts and deadlines. */
export async function caseOf({ get }: Wire, { id }: ReplyBody): Promise<ReplyBody> {
  const { data } = await get('/portal/api/disputes?limit=100');
  return data.find((dispute: ReplyBody) => dispute.id === id);
}

/** A fact: by when something has to be done. */
export async function isDue(
  { story, wire }: Stage,
  dispute: ReplyBody,
  deadline: string,
  sentence: string,
  instant: string | null,
): Promise<void> {
  const { deadlines } = await caseOf(wire, dispute);
  const said = instant === null ? sentence : `${sentence} ${newYork(instant)}`;
  story.fact(said, deadlines[deadline], instant);
}

/** A fact: the Tenant has taken the event, and that is how its customer is told. */
export async function isTold({ story, wire }: Stage, type: string, dispute: ReplyBody) {
  const { data } = await wire.get(`/v1/webhook-events?limit=100&type=${type}`);
  const event = data.find((one: ReplyBody) => one.data.object.id === dispute.id);
  const delivery = [event?.delivery.status, event?.delivery.attempts];
  story.fact(`the Tenant has taken ${type} at once, and tells her`, delivery, ['delivered', 1]);
}

/** A fact: what stands in an account's Transactions because of a dispute, oldest first. */
export async function isPosted(
  { story, wire }: Stage,
  { name, accountId }: Actor,
  { id }: ReplyBody,
  ...lines: string[]
): Promise<void> {
  const { data } = await wire.get(`/v1/accounts/${accountId}/transactions?limit=100`);
  const own = data.filter(({ source_id }: ReplyBody) => source_id === id).reverse();
  const found = own.map(
    ({ type, direction, net_amount }: ReplyBody) => `${type} ${direction} ${dollars(net_amount)}`,
  );
  story.fact(`the Transactions of ${name} show ${lines.join(', ')}`, found, lines);
}
