import { webhooks } from '@tenant-payments/sdk-server';
import type { ReplyBody } from '../kit/http.ts';
import { type Actor, person, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';
import { dollars } from './story.ts';
import type { Arrival } from './webhook_receiver.ts';

const secretsPath = '/portal/api/webhook-secrets';

const signatureOf = (arrival: Arrival | undefined): string => {
  const headers = arrival?.headers as Readonly<Record<string, string>> | undefined;
  return headers?.['service-signature'] ?? '';
};

/** How many digests a request was signed with: one for each active secret (contract: Signature 2). */
const digestsOf = (arrival: Arrival): number =>
  signatureOf(arrival)
    .split(',')
    .filter((item) => item.startsWith('v1=')).length;

const counted = (values: readonly (string | number)[]): string[] => {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).sort();
};

/** Ana buys something small. @returns what arrived because of it */
async function buy(
  { wire, story, receiver }: Stage,
  ana: Actor,
  cafe: Actor,
  amount: number,
): Promise<readonly Arrival[]> {
  const before = receiver.arrivals.length;
  const payment = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount });
  await wire.confirm(payment);
  const { status } = await wire.get(`/v1/payments/${payment.id}`);
  story.fact(`Ana pays ${dollars(amount)}: ${payment.id} is completed`, status, 'completed');
  return receiver.arrivals.slice(before);
}

/** A fact: with how many secrets these were signed, and what was answered. */
function arrived(
  { story }: Stage,
  arrivals: readonly Arrival[],
  sentence: string,
  digests: number,
  outcome: Arrival['outcome'],
): void {
  story.fact(
    sentence,
    [counted(arrivals.map(digestsOf)), counted(arrivals.map((one) => one.outcome))],
    [[`5 × ${digests}`], [`5 × ${outcome}`]],
  );
}

/** Sends the receiver a request that the service did not send. @returns what it answered */
async function deliver(
  { receiver }: Stage,
  rawBody: string,
  signature: string,
): Promise<{ status: number; reason: string | undefined }> {
  const reply = await fetch(receiver.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-signature': signature },
    body: rawBody,
  });
  const { reason } = (await reply.json()) as { reason?: string };
  return { status: reply.status, reason };
}

async function rotate(stage: Stage, ana: Actor, cafe: Actor, old: ReplyBody): Promise<string> {
  const { story, wire, call, receiver } = stage;
  story.step('One secret, one signature');
  const before = await buy(stage, ana, cafe, 10_00);
  arrived(stage, before, 'five webhooks, each with one digest, each believed', 1, 'handled');

  story.step('A second secret is added');
  const added = await wire.post(secretsPath);
  story.fact('the portal shows it this once', added.secret.startsWith('whsec_'));
  const both = await buy(stage, ana, cafe, 11_00);
  arrived(stage, both, 'both sign; the server, with the old one, believes it', 2, 'handled');

  story.step('The server is deployed with both');
  receiver.deploy([old.secret, added.secret]);
  const deployed = await buy(stage, ana, cafe, 12_00);
  arrived(stage, deployed, 'two digests, two secrets, and each event once', 2, 'handled');

  story.step('The old one is retired');
  const retired = await call('DELETE', `${secretsPath}/${old.id}`);
  story.fact('the portal says when', typeof retired.body.retired_at, 'string');
  const after = await buy(stage, ana, cafe, 13_00);
  arrived(stage, after, 'the new one signs alone, and is believed', 1, 'handled');
  receiver.deploy([added.secret]);
  story.say('At the next deployment the old one is left out.');
  return added.secret;
}

async function tamper(stage: Stage, retired: string): Promise<void> {
  const { story, receiver } = stage;
  const genuine = receiver.arrivals.at(-1);
  const text = String(genuine?.rawBody);
  const signature = signatureOf(genuine);
  const handled = receiver.handled.length;
  const refuses = async (sentence: string, body: string, signed: string, reason: string) =>
    story.fact(`${sentence}: 400, ${reason}`, await deliver(stage, body, signed), {
      status: 400,
      reason,
    });

  story.step('Somebody else writes to the server');
  const forged = text.replace('"environment":"sandbox"', '"environment":"Sandbox"');
  story.fact('a webhook is copied, and one letter of it changed', forged !== text);
  await refuses('under its true signature', forged, signature, 'signature_mismatch');
  const stolen = webhooks.sign(text, retired, new Date(JSON.parse(text).created_at));
  await refuses('signed with the retired secret', text, stolen, 'signature_mismatch');
  stage.pass(6);
  await refuses('the true one, six minutes later', text, signature, 'timestamp_too_old');
  story.fact('nothing of it was handled', receiver.handled.length, handled);
}

async function tooEarly(stage: Stage, ana: Actor, cafe: Actor, current: ReplyBody): Promise<void> {
  const { story, wire, call, receiver } = stage;
  story.step('The next rotation is done in the wrong order');
  const added = await wire.post(secretsPath);
  await call('DELETE', `${secretsPath}/${current.id}`);
  story.say('The one that the server knows is retired before the other is deployed.');
  const refused = await buy(stage, ana, cafe, 14_00);
  arrived(stage, refused, 'the server believes nothing: five times 400', 1, 'refused');
  const { data } = await wire.get('/v1/webhook-events?delivery_status=retrying');
  story.fact(
    'the listing has all five: retrying, after a 400',
    counted(data.map(({ delivery }: ReplyBody) => delivery.last_response_status)),
    ['5 × 400'],
  );

  story.step('A minute later the server has the new one');
  const before = receiver.arrivals.length;
  receiver.deploy([added.secret]);
  const { now } = await wire.get('/portal/api/clock');
  await stage.until(new Date(Date.parse(now) + 60_000).toISOString());
  arrived(
    stage,
    receiver.arrivals.slice(before),
    'all five come again, signed anew: nothing is lost',
    1,
    'handled',
  );
}

/** Contract, Signature 5: add, deploy, retire; and what is refused on the way. */
export const secretRotation = tale({
  name: 'secret-rotation',
  title: 'A webhook secret is rotated',
  lead: 'A new signing secret is added, both sign, the server is deployed with both, the old one is retired: no event is refused and none lost. A tampered one is, and a rotation in the wrong order costs a minute.',
  begins: '2026-02-03T15:00:00Z',
  cast: { ana: person('Ana Reyes', 100_00), cafe: shop('Corner Cafe LLC') },

  async play(stage, { ana, cafe }) {
    const { story, wire } = stage;
    const [{ id }] = (await wire.get(secretsPath)).data;
    const secret = await rotate(stage, ana, cafe, { id, secret: stage.secret });
    await tamper(stage, stage.secret);
    const { data } = await wire.get(secretsPath);
    story.fact(
      'the portal lists two secrets, of which the older is retired',
      data.map(({ retired_at }: ReplyBody) => retired_at !== null),
      [false, true],
    );
    const [current] = data;
    await tooEarly(stage, ana, cafe, { id: current.id, secret });
    await stage.has(ana, { available: 40_00 });
  },
});
