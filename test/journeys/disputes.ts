import type { ReplyBody } from '../kit/http/http.ts';
import { newYork } from './new_york.ts';
import { listAll } from './page.ts';
import type { Actor, Run } from './run.ts';
import { dollars } from './story.ts';

/** A customer, and the two merchants whom she pays. */
export type People = Readonly<Record<'ana' | 'cafe' | 'books', Actor>>;

/** The case of a dispute as the portal shows it: amounts and deadlines. */
export async function caseOf({ api }: Run, { id }: ReplyBody): Promise<ReplyBody> {
  return (await listAll(api, '/portal/api/disputes')).find((dispute) => dispute.id === id);
}

/** A fact: the deadline by which something has to be done; null: there is none. */
export async function isDue(
  run: Run,
  dispute: ReplyBody,
  deadline: string,
  sentence: string,
  instant: string | null,
): Promise<void> {
  const { deadlines } = await caseOf(run, dispute);
  const full = instant === null ? sentence : `${sentence} ${newYork(instant)}`;
  run.story.fact(full, deadlines[deadline], instant);
}

/** A fact: the Tenant has accepted the event, by which its customer is notified. */
export async function isNotified({ story, api }: Run, type: string, dispute: ReplyBody) {
  const events = await listAll(api, `/v1/webhook-events?type=${type}`);
  const event = events.find(({ data }) => data.object.id === dispute.id);
  const delivery = [event?.delivery.status, event?.delivery.attempts];
  const sentence = `the Tenant accepts ${type} at the first attempt, and notifies her`;
  story.fact(sentence, delivery, ['delivered', 1]);
}

/** A fact: the Transactions of an account that belong to a dispute, oldest first. */
export async function isPosted(
  { story, api }: Run,
  { name, accountId }: Actor,
  { id }: ReplyBody,
  ...lines: string[]
): Promise<void> {
  const own = (await listAll(api, `/v1/accounts/${accountId}/transactions`))
    .filter(({ source_id }) => source_id === id)
    .reverse();
  const found = own.map(
    ({ type, direction, net_amount }) => `${type} ${direction} ${dollars(net_amount)}`,
  );
  story.fact(`the Transactions of ${name} show ${lines.join(', ')}`, found, lines);
}
