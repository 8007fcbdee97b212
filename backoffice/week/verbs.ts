import { anyIdOf } from '@tenant-payments/contract/core/ids.ts';
import type { Dispute } from '@tenant-payments/contract/resources/disputes.ts';
import type { Refund } from '@tenant-payments/contract/resources/refunds.ts';
import type { Withdrawal } from '@tenant-payments/contract/resources/withdrawals.ts';
import { closeCustomer } from '@tenant-payments/service/flows/close_account.ts';
import { createSession } from '@tenant-payments/service/flows/create_session.ts';
import type { BankOutcome } from '@tenant-payments/service/rails/facts.ts';
import { createDispute } from '@tenant-payments/service/resources/disputes/create.ts';
import { removeLinkedAccount } from '@tenant-payments/service/resources/linked_accounts/remove.ts';
import { cancelPaymentRequest } from '@tenant-payments/service/resources/payment_requests/moves.ts';
import { cancelPayment } from '@tenant-payments/service/resources/payments/moves.ts';
import { createRefund } from '@tenant-payments/service/resources/refunds/create.ts';
import { readTenantNow } from '@tenant-payments/service/resources/statements/monthly.ts';
import { createWithdrawal } from '@tenant-payments/service/resources/withdrawals/create.ts';
import { sandboxBank } from '@tenant-payments/service/sandbox/rails/said_by_bank.ts';
import type { DeskResource } from '../contract/operate/desk.ts';
import { sources } from '../desk/sources.ts';
import type { Act, Step } from './acts.ts';
import { join } from './join.ts';
import { uuidIn } from './parts.ts';
import type { Scene } from './world.ts';

type Verb<Name extends Act['do']> = (
  scene: Scene,
  act: Extract<Act, { readonly do: Name }>,
) => Promise<void>;

async function play({ api }: Scene, id: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const [event, failure] = typeof step === 'string' ? [step] : step;
    await api.simulate(event, id, failure);
  }
}

/** Keeps what was made under the act's name, and plays what becomes of it. */
async function made(
  scene: Scene,
  { name, steps }: { readonly name: string; readonly steps?: readonly Step[] | undefined },
  { id }: { readonly id: string },
  usual: readonly Step[],
): Promise<void> {
  scene.world.ids.set(name, id);
  await play(scene, id, steps ?? usual);
}

/** The desk's name for the kind of a record. */
function resourceOf(id: string): DeskResource {
  const kind = anyIdOf(id)?.kind;
  const found = Object.entries(sources).find(([, source]) => source.kind === kind);
  if (!found) throw new Error(`${id} is nothing that staff decide on`);
  return found[0] as DeskResource;
}

const load: Verb<'load'> = async (scene, act) => {
  const found = await scene.api.createLoad({ id: await scene.idOf(act.who) }, act.cents);
  await made(scene, act, found, ['session.completed', 'load.settled']);
};

const pay: Verb<'pay'> = async (scene, act) => {
  const { who, to, cents, what, by = 'balance', request } = act;
  const { ids } = scene.world;
  const payee = request
    ? { qr_payload: ids.get(`${request}.code`) }
    : { payee_customer_id: await scene.idOf(to) };
  const found = await scene.api.createPayment({
    payer_customer_id: await scene.idOf(who),
    ...payee,
    amount: cents,
    source: by,
    description: what,
  });
  const byBank = ['session.completed', 'payment.completed'] as const;
  await made(scene, act, found, by === 'balance' ? ['session.completed'] : byBank);
};

const withdraw: Verb<'withdraw'> = async (scene, act) => {
  const body = { customer_id: await scene.idOf(act.who), amount: act.cents };
  const found: Withdrawal = await scene.api.run(createWithdrawal, body);
  await made(scene, act, found, ['session.completed', 'withdrawal.settled']);
};

const refund: Verb<'refund'> = async (scene, act) => {
  const body = { payment_id: await scene.idOf(act.of), amount: act.cents, reason: act.why };
  const found: Refund = await scene.api.run(createRefund, body);
  await made(scene, act, found, ['session.completed']);
};

const request: Verb<'request'> = async ({ api, idOf, world }, { name, shop, cents }) => {
  const merchant_customer_id = await idOf(shop);
  const counter = { type: 'static', collection_point: { reference: 'counter', name: 'Counter' } };
  const found = await api.createRequest(
    cents === undefined
      ? { merchant_customer_id, ...counter, type: 'static' }
      : { merchant_customer_id, type: 'dynamic', amount: cents, expires_in: 604_800 },
  );
  world.ids.set(name, found.id);
  world.ids.set(`${name}.code`, found.qr_payload);
};

const dispute: Verb<'dispute'> = async ({ api, idOf, world }, { name, who, of, type, words }) => {
  const { service } = world.dependencies;
  const found: Dispute = await api.run(createDispute(service), {
    customer_id: await idOf(who),
    ...(of === undefined ? {} : { payment_id: await idOf(of) }),
    type,
    description: words,
    notice_received_at: await readTenantNow(service, world.tenantId),
  });
  world.ids.set(name, found.id);
};

const terms: Verb<'terms'> = async (scene, { who, accepts }) => {
  const customer_id = await scene.idOf(who);
  const document = await scene.idOf(`${who}.document`);
  await scene.api.simulate('document_acceptance.pending_acceptance', document);
  if (!accepts) return;
  const flow = 'terms_acceptance';
  const session = await scene.api.run(createSession, { customer_id, flow });
  await scene.api.simulate('session.completed', (session as { id: string }).id);
};

const bank: Verb<'bank'> = async ({ world, taking, idOf }, { of, answer }) => {
  const id = await idOf(of);
  const { service } = world.dependencies;
  const order = await service.db
    .selectFrom('instructions')
    .where('tenant_id', '=', world.tenantId)
    .where('source_id', '=', uuidIn(id))
    .select('id')
    .executeTakeFirstOrThrow();
  const said: BankOutcome =
    'failed' in answer
      ? { outcome: 'failed', reason: answer.failed }
      : { outcome: 'settled', amount: answer.settled };
  const fact = { id: `week-${of}`, orderId: order.id, ...said };
  const { tenantId } = world;
  const receipt = { id: fact.id, tenantId, port: 'bank', fact } as const;
  await taking.take(sandboxBank, [receipt], { headers: {}, body: null });
};

const decided = async ({ idOf }: Scene, act: Extract<Act, { do: 'ask' | 'review' }>) => {
  const { on, move, amount, note } = act;
  const id = await idOf(on);
  const finding = act.do === 'review' ? act.finding : undefined;
  return {
    resource: resourceOf(id),
    id,
    move,
    note,
    ...(amount === undefined ? {} : { amount }),
    ...(finding === undefined ? {} : { finding }),
  };
};

/** How each act is done: by the commands of the API, the bank and the staff. */
export const verbs: { readonly [Name in Act['do']]: Verb<Name> } = {
  join,
  load,
  pay,
  withdraw,
  refund,
  request,
  dispute,
  terms,
  bank,
  play: async (scene, { step, on }) => play(scene, await scene.idOf(on), [step]),
  async cancel({ api, idOf }, { on, is }) {
    const id = await idOf(on);
    await (is === 'payment'
      ? api.run(cancelPayment, { id })
      : api.run(cancelPaymentRequest, { id }));
  },
  async unlink({ api, idOf }, { who }) {
    const input = { id: await idOf(who), linked_account_id: await idOf(`${who}.link`) };
    await api.run(removeLinkedAccount, input);
  },
  async close({ api, idOf, world }, { who }) {
    const command = closeCustomer(world.dependencies.service);
    await api.run(command, { id: await idOf(who), reason: 'customer_request' });
  },
  async review(scene, act) {
    await scene.byStaff.run(scene.commands.review, await decided(scene, act));
  },
  async ask(scene, act) {
    await scene.byStaff.run(scene.commands.ask, await decided(scene, act));
  },
  async take({ byStaff, commands, idOf }, { on, note }) {
    const id = await idOf(on);
    const path = { resource: resourceOf(id), id };
    await byStaff.run(commands.take, path);
    await byStaff.run(commands.note, { ...path, text: note });
  },
  endpoint: ({ world }, { is }) => world.endpoint.set(is),
};
