import { webhooks } from '@tenant-payments/sdk-server';
import type { ReplyBody } from '../kit/http/http.ts';
import { journey } from './journey.ts';
import type { Arrival } from './receiver.ts';
import { type Actor, person, type Run, shop } from './run.ts';
import { dollars } from './story.ts';

const secretsPath = '/portal/api/webhook-secrets';

const signatureOf = (arrival: Arrival | undefined): string => {
  const headers = arrival?.headers as Readonly<Record<string, string>> | undefined;
  return headers?.['service-signature'] ?? '';
};

/** How many digests a request was signed with: one for each active secret. */
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
  { api, story, receiver }: Run,
  ana: Actor,
  cafe: Actor,
  amount: number,
): Promise<readonly Arrival[]> {
  const before = receiver.arrivals.length;
  const payment = await api.confirmed(api.pay(ana, cafe, amount));
  const { status } = await api.get(`/v1/payments/${payment.id}`);
  story.fact(`Ana pays ${dollars(amount)}: ${payment.id} is completed`, status, 'completed');
  return receiver.arrivals.slice(before);
}

/** A fact: with how many secrets these were signed, and what was answered. */
function arrived(
  { story }: Run,
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
  { receiver }: Run,
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

async function rotate(run: Run, ana: Actor, cafe: Actor, old: ReplyBody): Promise<string> {
  const { story, api, receiver } = run;
  story.step('One secret, one signature');
  const before = await buy(run, ana, cafe, 10_00);
  arrived(run, before, 'five webhooks, each with one digest, each accepted', 1, 'handled');

  story.step('A second secret is added');
  const added = await api.post(secretsPath);
  story.fact('the portal shows it this once', added.secret.startsWith('whsec_'));
  const both = await buy(run, ana, cafe, 11_00);
  arrived(run, both, 'both sign; the server, with the old one, accepts it', 2, 'handled');

  story.step('The server is deployed with both');
  receiver.deploy([old.secret, added.secret]);
  const deployed = await buy(run, ana, cafe, 12_00);
  arrived(run, deployed, 'two digests, two secrets, and each event once', 2, 'handled');

  story.step('The old one is retired');
  const retired = await api.remove(`${secretsPath}/${old.id}`);
  story.fact('the portal says when', typeof retired.retired_at, 'string');
  const after = await buy(run, ana, cafe, 13_00);
  arrived(run, after, 'the new one signs alone, and is accepted', 1, 'handled');
  receiver.deploy([added.secret]);
  story.say('At the next deployment the old one is left out.');
  return added.secret;
}

async function tamper(run: Run, retired: string): Promise<void> {
  const { story, receiver } = run;
  const genuine = receiver.arrivals.at(-1);
  const text = String(genuine?.rawBody);
  const signature = signatureOf(genuine);
  const handled = receiver.handled.length;
  const refuses = async (sentence: string, body: string, signed: string, reason: string) =>
    story.fact(`${sentence}: 400, ${reason}`, await deliver(run, body, signed), {
      status: 400,
      reason,
    });

  story.step('Another sender writes to the server');
  const forged = text.replace('"environment":"sandbox"', '"environment":"Sandbox"');
  story.fact('a webhook is copied, and one letter of it changed', forged !== text);
  await refuses('under its true signature', forged, signature, 'signature_mismatch');
  const stolen = webhooks.sign(text, retired, new Date(JSON.parse(text).created_at));
  await refuses('signed with the retired secret', text, stolen, 'signature_mismatch');
  run.pass(6);
  await refuses('the true one, six minutes later', text, signature, 'timestamp_too_old');
  story.fact('nothing of it was handled', receiver.handled.length, handled);
}

async function tooEarly(run: Run, ana: Actor, cafe: Actor, current: ReplyBody): Promise<void> {
  const { story, api, receiver } = run;
  story.step('The next rotation is done in the wrong order');
  const added = await api.post(secretsPath);
  await api.remove(`${secretsPath}/${current.id}`);
  story.say('The one that the server knows is retired before the other is deployed.');
  const refused = await buy(run, ana, cafe, 14_00);
  arrived(run, refused, 'the server refuses all: five times 400', 1, 'refused');
  const { data } = await api.get('/v1/webhook-events?delivery_status=retrying');
  story.fact(
    'the listing has all five: retrying, after a 400',
    counted(data.map(({ delivery }: ReplyBody) => delivery.last_response_status)),
    ['5 × 400'],
  );

  story.step('A minute later the server has the new one');
  const before = receiver.arrivals.length;
  receiver.deploy([added.secret]);
  const { now } = await api.get('/portal/api/clock');
  await run.until(new Date(Date.parse(now) + 60_000).toISOString());
  arrived(
    run,
    receiver.arrivals.slice(before),
    'all five come again, signed anew: nothing is lost',
    1,
    'handled',
  );
}

journey({
  name: 'secret-rotation',
  title: 'A webhook secret is rotated',
  lead: 'A new signing secret is added, both sign, the server is deployed with both, the old one is retired: no event is refused and none lost. A tampered one is, and a rotation in the wrong order costs a minute.',
  begins: '2026-02-03T15:00:00Z',
  people: { ana: person('Ana Reyes', 100_00), cafe: shop('Corner Cafe LLC') },

  async steps(run, { ana, cafe }) {
    const { story, api } = run;
    const { webhook_secret: first } = run.server.tenant;
    const [{ id }] = (await api.get(secretsPath)).data;
    const secret = await rotate(run, ana, cafe, { id, secret: first });
    await tamper(run, first);
    const { data } = await api.get(secretsPath);
    story.fact(
      'the portal lists two secrets, of which the older is retired',
      data.map(({ retired_at }: ReplyBody) => retired_at !== null),
      [false, true],
    );
    const [current] = data;
    await tooEarly(run, ana, cafe, { id: current.id, secret });
    await run.has(ana, { available: 40_00 });
  },
});
