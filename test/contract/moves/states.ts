import type { ReplyBody } from '../../kit/http/http.ts';
import { writtenInVain } from '../../kit/messages/bounced_letter.ts';
import { closeEmpty, type Scenario } from '../scenario.ts';
import { type Attempt, attempts, type Held, type Table, tables } from './attempts.ts';
import { relink } from './subjects.ts';

type Make = (s: Scenario) => Promise<ReplyBody>;

const held = (id: string, customerId?: string): Held => ({ id, ...(customerId && { customerId }) });

/** A customer's first document, and the row of this status after `versions` new versions. */
export async function documentOf({ api }: Scenario, status: string, versions: number) {
  const { customerId } = await api.approved('individual');
  const path = `/portal/api/customers/${customerId}/documents?include=superseded`;
  const list = async () => (await api.get(path)).data;
  const [{ id }] = await list();
  for (let version = 0; version < versions; version += 1)
    await api.simulate('document_acceptance.pending_acceptance', id);
  if (status === 'superseded' && versions === 1)
    await api.confirmed(api.session('terms_acceptance', { customerId }));
  return held((await list()).find((row: ReplyBody) => row.status === status).id, customerId);
}

/** A payment of 1.00, of which so much has come back. */
export const refunded =
  (...amounts: readonly number[]): Make =>
  async ({ api, payer, shop }) => {
    const payment = await api.confirmed(api.pay(payer, shop, 1_00));
    for (const amount of amounts) await api.confirmed(api.refund(payment, amount));
    return payment;
  };

/** A refund whose merchant has no money: what it was paid is on its way to its bank. */
export async function unfundedRefund({ api, payer }: Scenario) {
  const merchant = await api.banked('business');
  const payment = await api.confirmed(api.pay(payer, merchant, 5_00));
  const withdrawal = await api.confirmed(api.withdraw(merchant, 5_00));
  const { id } = await api.confirmed(api.refund(payment, 1_00));
  return { ...held(id, merchant.customerId), merchant, withdrawal };
}

const refundToBank: Make = async ({ api, payer, shop }) => {
  const paying = api.confirmed(api.payByBank(payer, shop, 1_00));
  return api.refund(await api.played(paying, 'payment.completed'), 50);
};

const dispute =
  (...events: readonly string[]): Make =>
  async ({ api, payer, shop }) => {
    const { id: payment_id } = await api.confirmed(api.pay(payer, shop, 1_00));
    const played = events.map((event) => `dispute.${event}`);
    const { id } = await api.played(api.dispute(payer, { payment_id }), ...played);
    return held(id, payer.customerId);
  };

/** An entry of the reviewer's queue about a load that was paid after it had failed. */
const paidLate =
  (resource: 'suspense' | 'bank-messages'): Make =>
  async ({ api, payer }) => {
    const loading = api.confirmed(api.load(payer, 1_00));
    const { id } = await api.played(loading, 'load.failed', 'load.paid_late');
    const { data } = await api.get('/portal/api/review?limit=100');
    return data.find((one: ReplyBody) => one.resource === resource && one.record.source_id === id);
  };

/** A settled load whose bank asks for the money back. */
const askedBack: Make = async ({ api, payer }) => {
  const loading = api.confirmed(api.load(payer, 1_00));
  const { id } = await api.played(loading, 'load.settled', 'bank.return_requested');
  const { data } = await api.get('/portal/api/review?limit=100');
  return data.find(
    (one: ReplyBody) => one.resource === 'return-requests' && one.record.source_id === id,
  );
};

/** The letter of a dispute whose customer gets no mail. */
const bouncedLetter: Make = async ({ api }) => {
  const { id } = await writtenInVain(api);
  const { data } = await api.get('/portal/api/review?limit=100');
  return data.find((one: ReplyBody) => one.resource === 'notices' && one.record.source_id === id);
};

/** Its last payout is on its way, so that it does not close by itself. */
const closing: Make = async ({ api }) => {
  const { customerId, accountId } = await api.funded('individual', 1_00);
  await api.close({ customerId });
  // A simulation runs due jobs; here that is the payout.
  await api.simulate('customer.pin_locked', customerId);
  return held(accountId, customerId);
};

/** Records from which attempts lead on to every other state. */
const roots: Readonly<Partial<Record<Table, Readonly<Record<string, Make>>>>> = {
  customer: { created: ({ api }) => api.customer('individual') },
  owner: {
    async pending({ api }) {
      const { id } = await api.played(api.customer('business'), 'customer.pending');
      const [owner] = (await api.get(`/v1/customers/${id}/owners`)).data;
      return held(owner.id, id);
    },
  },
  document_acceptance: {
    accepted: (s) => documentOf(s, 'accepted', 0),
    pending_acceptance: (s) => documentOf(s, 'pending_acceptance', 1),
    superseded: (s) => documentOf(s, 'superseded', 1),
  },
  // The session in which a payment is confirmed.
  session: {
    created: async ({ api, payer, shop }) =>
      (await api.pay(payer, shop, 1_00)).confirmation_session,
  },
  linked_account: {
    async pending({ api }) {
      const { customerId } = await api.approved('individual');
      const body = { public_token: 'public-sandbox-standard' };
      const { id } = await api.post(`/v1/customers/${customerId}/linked-accounts`, body);
      return held(id, customerId);
    },
  },
  account: {
    async active({ api }) {
      const { accountId, customerId } = await api.approved('individual');
      return held(accountId, customerId);
    },
    closing,
    async closed({ api }) {
      const person = await api.approved('individual');
      await closeEmpty(api, person);
      return held(person.accountId, person.customerId);
    },
  },
  load: { requires_confirmation: ({ api, payer }) => api.load(payer, 1_00) },
  payment_request: {
    open: ({ api, shop }) => api.request(shop, 1_00),
    async paid({ api, payer, shop }) {
      const request = await api.request(shop, 1_00);
      await api.confirmed(api.payRequest(payer, request));
      return request;
    },
  },
  payment: {
    requires_confirmation: ({ api, payer, shop }) => api.pay(payer, shop, 1_00),
    processing: ({ api, payer, shop }) => api.confirmed(api.payByBank(payer, shop, 1_00)),
    refunded: refunded(1_00),
    partially_refunded: refunded(40),
  },
  withdrawal: { requires_confirmation: ({ api, payer }) => api.withdraw(payer, 1_00) },
  refund: {
    requested: async (s) => s.api.refund(await refunded()(s), 50),
    pending_funds: unfundedRefund,
    processing: async (s) => s.api.confirmed(refundToBank(s)),
  },
  dispute: {
    received: dispute(),
    // Credited and denied: what was credited is taken back later.
    resolved: dispute('investigating', 'provisional_credit', 'resolved_denied'),
    closed: dispute('resolved_denied'),
  },
  adjustment: { held: paidLate('suspense') },
  bank_message: { open: paidLate('bank-messages') },
  return_request: { open: askedBack },
  notice: { task: bouncedLetter },
};

/**
 * Whether an attempt leads on: of those played through a session only its completion: a refusal there never reaches the
 * bank.
 */
const leadsOn = ({ name, table, shows, to }: Attempt) =>
  to !== 'same' && to.length === 1 && (shows === table || name.includes('session.completed'));

type Path = readonly [Make, ...Attempt[]];

/** The shortest way to each state of a table, from a record that is made and then moved. */
function pathsOf(table: Table): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>(
    Object.entries(roots[table] ?? {}).map(([state, make]) => [state, [make]]),
  );
  const moves = attempts.filter((one) => one.table === table && leadsOn(one));
  // A map goes on to what is added to it meanwhile.
  for (const [state, path] of paths)
    for (const move of moves)
      if (move.from.includes(state) && !paths.has(move.to[0] ?? ''))
        paths.set(move.to[0] ?? '', [...path, move]);
  return paths;
}

const paths = new Map((Object.keys(tables) as Table[]).map((table) => [table, pathsOf(table)]));

/** States of these tables that no call of the public interface leads to. */
export const unreached: readonly string[] = [...paths].flatMap(([table, reached]) =>
  reached.size === 0
    ? []
    : tables[table].states
        .filter((state) => !reached.has(state))
        .map((state) => `${table} ${state}`),
);
export const statesOf = (table: Table): readonly string[] => [...(paths.get(table)?.keys() ?? [])];

/** Makes a record in a state. @param onHold with a hold that an attempt is to release */
export async function madeIn(
  s: Scenario,
  table: Table,
  state: string,
  onHold = false,
): Promise<Held> {
  if (onHold && table === 'linked_account') {
    const { linkedAccountId, customerId } = await relink(s);
    await s.api.simulate('linked_account.needs_login', linkedAccountId);
    return held(linkedAccountId, customerId);
  }
  const [make, ...moves] = paths.get(table)?.get(state) ?? [];
  if (!make) throw new Error(`nothing leads to ${table} ${state}`);
  const { id, customerId } = await make(s);
  const record = held(id, customerId);
  for (const move of moves) {
    const { status, body } = await move.send(s, record);
    if (status >= 300) throw new Error(`${move.name}: ${JSON.stringify(body)}`);
  }
  if (onHold) await s.api.post(`/portal/api/review/accounts/${id}/place_hold`, {});
  return record;
}
