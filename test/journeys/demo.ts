import { createClient } from '@tenant-payments/sdk-server';
import { onStopSignal } from '../../cli/stop_signals.ts';
import { type SandboxProcess, startSandbox } from '../kit/processes/sandbox.ts';
import { catchUp } from './catch_up.ts';
import {
  countMoney,
  type Demo,
  loadMoney,
  meetPeople,
  payByCode,
  receiveEvent,
  signIn,
  tryAgain,
} from './pay_by_qr.ts';
import { startReceiver, type WebhookReceiver } from './receiver.ts';
import { BrokenFact, openStory, paintFor, type Story } from './story.ts';

/**
 * `npm run demo`: a customer pays a shop by QR code, and the Tenant's webhook proves it. Everything is
 * real: a service of its own with its own database, HTTP through the SDK, webhooks to a server that
 * checks their signatures. It ends with exit code 0 only if every fact held.
 */

const paint = paintFor(process.stdout);
const write = (line: string) => void process.stdout.write(`${line}\n`);
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

async function perform(demo: Demo): Promise<void> {
  const { story } = demo;
  const portal = await signIn(demo);
  const { now: since } = await portal.get('/portal/api/clock');
  const { dana, shop } = await meetPeople(demo);
  await loadMoney(demo, dana);
  const paid = await payByCode(demo, dana, shop);
  await receiveEvent(demo, paid);
  await countMoney(demo, [dana, shop]);
  await tryAgain(demo, dana, paid);
  await catchUp(demo, portal, { dana, shop, since });

  story.step('The ledger is verified');
  const { ok, violations } = await portal.get('/portal/api/ledger/verify');
  story.fact('every invariant of the whole ledger holds', [ok, violations], [true, []]);
}

/** The parts started so far; they are ended in the opposite order, also after a failure. */
interface Open {
  sandbox?: SandboxProcess;
  receiver?: WebhookReceiver;
}

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function run(open: Open, signal: AbortSignal): Promise<Story> {
  const story = openStory(write, paint);
  write('Pay by QR: a customer pays a shop, and the webhook proves it');
  story.step('A fresh sandbox starts');
  open.sandbox = await startSandbox(signal);
  const { facts, startedInMs } = open.sandbox;
  story.say(`${facts.base_url}, with a PostgreSQL of its own, ready in ${seconds(startedInMs)} s.`);
  open.receiver = await startReceiver(facts.webhook_secret);
  story.say(`The Tenant's server listens for webhooks at ${open.receiver.url}.`);
  const client = createClient({
    baseUrl: facts.base_url,
    clientId: facts.client_id,
    clientSecret: facts.client_secret,
  });
  signal.throwIfAborted();
  await Promise.race([perform({ story, facts, client, receiver: open.receiver }), abortOf(signal)]);
  return story;
}

const interrupted = new AbortController();
onStopSignal((name) => interrupted.abort(new Error(`interrupted by ${name}`)), {
  withinMs: () => 30_000,
  exitCode: 1,
});

const open: Open = {};
const startedAt = performance.now();
let failure: unknown = null;
try {
  const { facts } = await run(open, interrupted.signal);
  const took = seconds(performance.now() - startedAt);
  write('');
  write(paint(`All ${facts} facts held, in ${took} s.`, 'bold'));
} catch (error) {
  failure = error;
}
await open.receiver?.close();
const exitCode = await open.sandbox?.stop();
if (failure === null && exitCode !== 0)
  failure = new BrokenFact(`the sandbox ends with exit code 0, not ${exitCode}`);
if (failure !== null) {
  const { message, stack } = failure as Error;
  const isOurs = failure instanceof BrokenFact || interrupted.signal.aborted;
  write('');
  write(paint(`The demo failed: ${isOurs ? message : stack}`, 'red'));
}
process.exit(failure === null ? 0 : 1);
