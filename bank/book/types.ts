/** The words of the bank's API, as openapi.yaml has it. */
export type Role = 'fbo' | 'operating' | 'reserve';
export type Kind = 'request_for_payment' | 'credit_transfer' | 'internal_transfer';
export type Refuser = 'network' | 'bank' | 'customer' | 'provider';

/** An own account of the Tenant, or an account elsewhere. */
export type Side =
  | { readonly own: Role }
  | { readonly reference: string }
  | { readonly routing: string; readonly account: string; readonly name?: string };

/** An order as it was sent; it never changes. */
export interface Terms {
  readonly tenant: string;
  readonly end_to_end_id: string;
  readonly kind: Kind;
  readonly purpose: string;
  /** Cents. */
  readonly amount: number;
  readonly from: Side;
  readonly to: Side;
  readonly expires_at: string | null;
  readonly return_of: string | null;
  readonly remittance: string | null;
}

export type EventType =
  | 'order.sent'
  | 'order.pending_review'
  | 'order.accepted'
  | 'order.settled_pending'
  | 'order.settled'
  | 'order.failed'
  | 'order.cancelled'
  | 'order.returned'
  | 'money.received'
  | 'return.requested';

/** Something that happened, in the feed and in a webhook alike. */
export interface BankEvent {
  readonly id: string;
  readonly at: string;
  readonly type: EventType;
  readonly tenant: string;
  readonly order: string | null;
  readonly end_to_end_id: string | null;
  readonly provider_id: string | null;
  readonly account: Role | null;
  readonly amount: number | null;
  readonly reason: string | null;
  readonly said_by: Refuser | null;
  readonly text: string | null;
  readonly sender: string | null;
  readonly remittance: string | null;
  readonly return_request: string | null;
  readonly answer_by: string | null;
}

/** How an order stands while the bank has not said its last word. */
export const openStatuses = ['sent', 'pending_review', 'accepted', 'settled_pending'] as const;
export type OpenStatus = (typeof openStatuses)[number];
export type Status = OpenStatus | Outcome['status'];

/** How an order ended, and by which event it was told. */
export interface Outcome extends Pick<BankEvent, 'at' | 'amount' | 'reason' | 'said_by' | 'text'> {
  readonly event: string;
  readonly status: 'settled' | 'failed' | 'cancelled' | 'returned';
}

/** An order in the book. */
export interface Order {
  readonly id: string;
  readonly provider_id: string;
  readonly taken_at: string;
  readonly status: Status;
  readonly outcome: Outcome | null;
  readonly terms: Terms;
}

export interface ReturnAnswer {
  readonly answer: 'accept' | 'partial' | 'reject';
  readonly amount?: number;
  readonly text?: string;
}

/** Another bank asks for money back. */
export interface ReturnRequest {
  readonly id: string;
  readonly tenant: string;
  readonly order: string;
  readonly amount: number;
  readonly reason: string;
  readonly text: string | null;
  readonly answer_by: string;
  readonly answer: ReturnAnswer | null;
}

/** A line of the statement of an own account. */
export interface Line {
  readonly at: string;
  readonly end_to_end_id: string | null;
  readonly provider_id: string;
  readonly order: string | null;
  readonly sign: 'credit' | 'debit';
  readonly amount: number;
  readonly balance: number;
}

/** The bank's own acts on an order, one after the other. */
export type Act =
  | 'accept'
  | 'settle'
  | 'pay_other_amount'
  | 'fail'
  | 'return'
  /** A message alone, which is not true. */
  | 'say_failed'
  | 'say_other_amount';

export interface Step {
  readonly afterMs: number;
  readonly act: Act;
}

/** How webhooks of an order go out. */
export type Delivery = 'once' | 'doubled' | 'reversed' | 'lost';

/** The plan of what an order will meet, drawn when it is taken. */
export interface Plan {
  /** By which all of it is drawn. */
  readonly key: string;
  readonly steps: readonly Step[];
  /** How the call that brings the order is answered. */
  readonly reply: 'normal' | 'error' | 'hang';
  readonly delivery: Delivery;
}

export const faultNames = [
  'late',
  'doubled',
  'reordered',
  'contradictory',
  'wrong_amount',
  'silent',
  'error_500',
  'timeout',
  'lost',
] as const;
export type Fault = (typeof faultNames)[number];

/** How the bank answers orders by itself; shares are between 0 and 1. */
export interface Behaviour {
  readonly seed: number;
  readonly answer_after_ms: number;
  readonly late_ms: number;
  readonly answers: { readonly fail?: number; readonly return?: number };
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
}

/** Money that moves: credit to `to`, debit of `from`, so no movement can be unbalanced. */
export interface Movement {
  readonly provider_id: string;
  readonly end_to_end_id: string | null;
  readonly order: string | null;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

/** One line of the journal: what one decision changed, all of it or nothing. */
export interface Entry {
  readonly at: string;
  readonly order?: Omit<Order, 'status' | 'outcome'> & { readonly plan: Plan };
  readonly event?: BankEvent;
  /** The event is a message alone, which is not true. */
  readonly untrue?: true;
  readonly movement?: Movement;
  /** A step of this order's plan has been done. */
  readonly stepOf?: string;
  /** This event was delivered, or given up. */
  readonly delivered?: string;
  readonly behaviour?: Behaviour;
  readonly request?: ReturnRequest;
}
