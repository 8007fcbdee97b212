import { setTimeout as sleep } from 'node:timers/promises';
import { verifyAudit } from '../../../backoffice/audit/verify.ts';
import { openInbound } from '../../../service/inbound/inbound.ts';
import { verifyLedger } from '../../../service/invariants/verify.ts';
import { openRestoreOf } from '../../../service/restore/begin.ts';
import { compareBook } from '../../../service/restore/book.ts';
import { openRestoreWatch, proveTimeline } from '../../../service/restore/watch.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import type { Person } from '../../kit/person.ts';
import { choicesOf } from '../../kit/seed.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { proofTest } from '../../prove/proof.ts';
import { type Archived, startArchived } from './archived.ts';
import { type CountingBank, openCountingBank } from './counting_bank.ts';
import { eventsOf, openReceiver } from './receiver.ts';
import { callsOf, type Intent, type Kind, kinds, type Stage } from './tenant.ts';

/** Amounts of the intents, in cents; of the others none is so low. */
const amountsFrom = 20_01;

/** The kinds that bring money in; with others it goes out. */
const brings: ReadonlySet<Kind> = new Set<Kind>(['load', 'payment']);

interface Plan {
  readonly before: readonly Intent[];
  /** Created before the point, confirmed after it. */
  readonly across: readonly Intent[];
  readonly after: readonly Intent[];
  /** Made after the point by a call that nobody repeats. */
  readonly forgotten: Intent;
  /** The bank refuses it. */
  readonly refused: Intent;
}

function planOf(): Plan {
  let amount = amountsFrom;
  const intent = (kind: Kind): Intent => {
    amount += 1;
    return { kind, amount };
  };
  return {
    before: kinds.map(intent),
    across: (['load', 'withdrawal', 'payment', 'refund'] as const).map(intent),
    after: kinds.map(intent),
    forgotten: intent('load'),
    refused: intent('load'),
  };
}

/** Runs what is due and tells the service what the bank has done, until nothing moves. */
async function settle(server: TestServer, bank: CountingBank): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await server.runJobs();
    await bank.report(server.service);
  }
  await server.runJobs();
}

async function stageOf(server: TestServer, bank: CountingBank, plan: Plan): Promise<Stage> {
  const { api } = server;
  const all = [...plan.before, ...plan.across, ...plan.after];
  const amountsOf = (kind: Kind) =>
    all.filter((intent) => intent.kind === kind).map(({ amount }) => amount);
  const cafe = await api.funded('business', 900_00);
  const ana = await api.funded('individual', 900_00);
  const paid = await api.played(
    api.payByBank(ana, cafe, 400_00),
    'session.completed',
    'payment.completed',
  );
  const closing = new Map<number, Person>();
  for (const amount of amountsOf('payout'))
    closing.set(amount, await api.funded('individual', amount));
  const disputed = new Map<number, ReplyBody>();
  for (const amount of amountsOf('credit')) {
    const person = await api.funded('individual', amount + 500_00);
    const payment = await api.confirmed(api.pay(person, cafe, amount));
    await api.close(person);
    await settle(server, bank);
    disputed.set(amount, payment);
  }
  await settle(server, bank);
  return { ana, cafe, paid, closing, disputed };
}

interface Played {
  readonly stage: Stage;
  readonly to: string;
  /** A payment that was completed after the point. */
  readonly open: ReplyBody;
}

/** A life of a database with a point in it, up to its loss. */
async function play(
  server: TestServer,
  {
    archived,
    bank,
    plan,
    isTold,
  }: { archived: Archived; bank: CountingBank; plan: Plan; isTold: boolean },
): Promise<Played> {
  const { api } = server;
  await proveTimeline(server.service);
  const stage = await stageOf(server, bank, plan);
  await archived.backUp();
  const calls = callsOf(api, stage);
  for (const intent of plan.before) await calls.whole(intent);
  await settle(server, bank);
  for (const intent of plan.across) await calls.create(intent);
  const open = await api.pay(stage.ana, stage.cafe, 15_00);
  await sleep(20);
  const to = await archived.now();
  await sleep(20);
  await api.confirmed(open);
  for (const intent of [...plan.across, ...plan.after, plan.forgotten, plan.refused])
    await calls.whole(intent);
  await server.runJobs();
  if (isTold) await settle(server, bank);
  bank.loseReports();
  await archived.archived();
  return { stage, to, open };
}

/** Everything that must hold of the bank and of the restored service, as sentences where it does not. */
async function violationsOf(server: TestServer, bank: CountingBank, plan: Plan): Promise<string[]> {
  const { forgotten, ...parts } = plan;
  const { pool } = server.service;
  const intents = [...parts.before, ...parts.across, ...parts.after, forgotten, parts.refused];
  const paid = intents.flatMap(({ kind, amount }) => {
    const network = brings.has(kind) ? 'request_for_payment' : 'credit_transfer';
    const ofIt = bank.executed.filter(
      ({ order }) => order.amount === amount && order.kind === network,
    );
    const times = ofIt.length;
    return times === 1 ? [] : [`the bank executed the ${kind} of ${amount} ${times} times`];
  });
  const lines = bank.executed.map(({ order: { id, tenantId, amount }, outcome }) => ({
    id,
    tenantId,
    amount,
    outcome,
  }));
  const lost = (await compareBook(pool, lines)).flatMap(({ amount, standing, status, outcome }) => {
    const should = amount === forgotten.amount ? 'missing' : 'ended';
    const failed = status === 'failed';
    const fits = standing === 'missing' || failed === (outcome?.outcome === 'failed');
    return standing === should && fits ? [] : [`the order of ${amount} is ${standing}, ${status}`];
  });
  const ledger = await verifyLedger(pool);
  const { faults } = await verifyAudit(pool);
  return [
    ...paid,
    ...lost,
    ...ledger.violations.map((violation) => JSON.stringify(violation)),
    ...faults.map((fault) => JSON.stringify(fault)),
  ];
}

/** Tells the service what the bank's book says of orders that it knows, as `restore status --take` does. */
async function takeBook({ service }: TestServer, bank: CountingBank, since: string) {
  const inbound = openInbound({ ...service, asks: false });
  const booked = (await bank.ordersSince?.(since)) ?? [];
  const compared = await compareBook(service.pool, booked);
  for (const { id, tenantId, outcome, standing } of compared)
    if (standing === 'behind' && tenantId !== null && outcome !== null)
      await inbound.bank(tenantId, { id: `restore ${id}`, orderId: id, ...outcome });
  return compared.map(({ standing }) => standing);
}

async function round(isTold: boolean) {
  const plan = planOf();
  const bank = openCountingBank(({ amount }) => amount === plan.refused.amount);
  const archived = await startArchived();
  const options = { bank, workers: false, onLog: () => {} } as const;
  const first = await startTestServer({ ...options, database: archived.database });
  const receiver = openReceiver();
  const violations: string[] = [];
  const { stage, to, open } = await play(first, { archived, bank, plan, isTold });
  const { tenantId } = first.tenant;
  const told = await eventsOf(first.service.pool, tenantId);
  receiver.take(told);
  const secrets = first.service.config;
  await first.stop();
  await archived.lose();

  const { database, tookMs } = await archived.restore(to);
  const server = await startTestServer({ ...options, database, secrets });
  const as = (it: TestServer): TestServer => ({
    ...it,
    api: it.apiOf(first.tenant),
    runJobs: async () => it.runJobs(tenantId),
  });
  const again = as(server);
  const { service } = again;
  await proveTimeline(service);
  const watch = openRestoreWatch(service);
  const begun = await openRestoreOf(service.control);
  if (begun?.cause !== 'target') violations.push(`the restore was not found: ${begun?.cause}`);
  const [executed, repeated] = [bank.executed.length, bank.repeated()];
  await watch.look();
  // The Tenant repeats every call but one, and its customers confirm again.
  const calls = callsOf(again.api, stage);
  await again.api.post(`/v1/payments/${open.id}/cancel`);
  // One of the calls comes after the book was taken, so that its order is handed over again.
  const [late, ...after] = plan.after;
  for (const intent of [...plan.before, ...plan.across, ...after, plan.refused])
    await calls.whole(intent);
  await again.runJobs();
  if (bank.executed.length !== executed || bank.repeated() !== repeated)
    violations.push('an order left while the restore was under way');
  const standings = await takeBook(again, bank, to);
  if (!standings.includes('missing'))
    violations.push('the bank has nothing that is not known here');
  if (late) await calls.whole(late);
  await service.control.query("update control.restores set ended_at = now(), ended_by = 'a test'");
  await watch.look();
  // Held work is released within a second (rules/restore#15).
  await sleep(1_000);
  await settle(again, bank);
  if (bank.repeated() === repeated) violations.push('no order was repeated');
  violations.push(...(await violationsOf(again, bank, plan)));
  const known = new Set(told.map(({ id }) => id));
  const since = (await eventsOf(service.pool, tenantId)).filter(({ id }) => !known.has(id));
  receiver.take(since);
  violations.push(...receiver.wrong(since));
  await server.stop();
  await archived.stop();
  return { violations, tookMs, repeats: bank.repeated() - repeated };
}

proofTest(
  'after a point-in-time restore the bank pays nothing twice, what it did is not lost, and receivers end with what is true',
  1,
  async ({ seed, rounds, progress }) => {
    const violations: string[] = [];
    let [slowestRestoreMs, repeats] = [0, 0];
    for (let at = 0; at < rounds; at += 1) {
      const isTold = choicesOf(seed, `round ${at}`).below(2) === 0;
      const found = await round(isTold);
      violations.push(...found.violations.map((violation) => `round ${at}: ${violation}`));
      slowestRestoreMs = Math.max(slowestRestoreMs, Math.round(found.tookMs));
      repeats += found.repeats;
      progress(at + 1);
    }
    return { rounds, violations, figures: { repeatedOrders: repeats, slowestRestoreMs } };
  },
);
