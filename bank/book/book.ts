import {
  type BankEvent,
  type Behaviour,
  type Entry,
  type Line,
  type Movement,
  type OpenStatus,
  type Order,
  openStatuses,
  type Plan,
  type ReturnRequest,
  type Role,
  type Side,
  type Status,
  type Terms,
} from './types.ts';

/** An order, and what of its plan is still to be done. */
export interface KeptOrder extends Order {
  readonly plan: Plan;
  readonly stepsDone: number;
  /** When it was taken, or its last step was done. */
  readonly changed_at: string;
}

/** The name of an account in the book. */
export function accountOf(tenant: string, side: Side): string {
  if ('own' in side) return `own ${tenant} ${side.own}`;
  return 'reference' in side
    ? `reference ${side.reference}`
    : `account ${side.routing} ${side.account}`;
}

export const ownAccount = (tenant: string, role: Role): string => accountOf(tenant, { own: role });

const statusOf: Readonly<Partial<Record<BankEvent['type'], Status>>> = {
  'order.sent': 'sent',
  'order.pending_review': 'pending_review',
  'order.accepted': 'accepted',
  'order.settled_pending': 'settled_pending',
  'order.settled': 'settled',
  'order.failed': 'failed',
  'order.cancelled': 'cancelled',
  'order.returned': 'returned',
};

/** Whether the bank has not said its last word. */
export const isOpen = (status: Status): status is OpenStatus =>
  (openStatuses as readonly Status[]).includes(status);

const countedAs = ({ purpose, amount }: Terms): string => `${purpose} ${amount}`;

/** The bank's book in memory: what the entries of the journal say, one after the other. It decides nothing. */
export function openBook(startBehaviour: Behaviour) {
  const orders = new Map<string, KeptOrder>();
  const events: BankEvent[] = [];
  const undelivered = new Map<string, BankEvent>();
  const balances = new Map<string, number>();
  const lines = new Map<string, Line[]>();
  const requests = new Map<string, ReturnRequest>();
  /** How many orders there are of a purpose and amount. */
  const counts = new Map<string, number>();
  let behaviour = startBehaviour;

  function change(id: string | null, changes: Partial<KeptOrder>): void {
    const known = id === null ? undefined : orders.get(id);
    if (known) orders.set(known.id, { ...known, ...changes });
  }

  function addTo(account: string, sign: Line['sign'], at: string, movement: Movement): void {
    const { amount, provider_id, end_to_end_id, order } = movement;
    const balance = (balances.get(account) ?? 0) + (sign === 'credit' ? amount : -amount);
    balances.set(account, balance);
    if (!account.startsWith('own ')) return;
    const known = lines.get(account) ?? [];
    known.push({ at, end_to_end_id, provider_id, order, sign, amount, balance });
    lines.set(account, known);
  }

  function take(event: BankEvent, isTrue: boolean): void {
    events.push(event);
    undelivered.set(event.id, event);
    const status = statusOf[event.type];
    if (!isTrue || !status) return;
    const { id, at, amount, reason, said_by, text } = event;
    const outcome = isOpen(status)
      ? null
      : { event: id, status, at, amount, reason, said_by, text };
    change(event.order, { status, outcome });
  }

  return {
    orders: orders as ReadonlyMap<string, KeptOrder>,
    events: events as readonly BankEvent[],
    undelivered: undelivered as ReadonlyMap<string, BankEvent>,
    requests: requests as ReadonlyMap<string, ReturnRequest>,
    /** Every account with what it holds; all of them together hold nothing. */
    balances: balances as ReadonlyMap<string, number>,
    /** How many orders like this one were taken. */
    count: (terms: Terms): number => counts.get(countedAs(terms)) ?? 0,
    behaviour: () => behaviour,
    balance: (account: string): number => balances.get(account) ?? 0,
    lines: (account: string): readonly Line[] => lines.get(account) ?? [],
    apply(entry: Entry): void {
      const { at, order, event, untrue, movement, stepOf, delivered, request } = entry;
      if (order) {
        counts.set(countedAs(order.terms), (counts.get(countedAs(order.terms)) ?? 0) + 1);
        orders.set(order.id, {
          ...order,
          status: 'sent',
          outcome: null,
          stepsDone: 0,
          changed_at: at,
        });
      }
      if (movement) {
        addTo(movement.from, 'debit', at, movement);
        addTo(movement.to, 'credit', at, movement);
      }
      if (event) take(event, !untrue);
      if (stepOf)
        change(stepOf, { stepsDone: (orders.get(stepOf)?.stepsDone ?? 0) + 1, changed_at: at });
      if (delivered) undelivered.delete(delivered);
      if (request) requests.set(request.id, request);
      behaviour = entry.behaviour ?? behaviour;
    },
  };
}
export type Book = ReturnType<typeof openBook>;
