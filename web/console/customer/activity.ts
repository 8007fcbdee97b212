import type { ItemOf } from '../../staff/api/queries.ts';
import { useRead } from '../../staff/api/queries.ts';

/** A movement of a customer's money: where it went as the customer sees it. */
export interface Movement {
  readonly id: string;
  readonly what: string;
  readonly amount: number;
  readonly status: string;
  readonly resource: string;
  readonly at: string;
}

const each = 25;

type Payment = ItemOf<'GET /portal/api/payments'>;
type Refund = ItemOf<'GET /portal/api/refunds'>;

const paid = (customerId: string, { payer_customer_id }: Payment) =>
  payer_customer_id === customerId ? 'Paid' : 'Received';
const refunded = (customerId: string, { payer_customer_id }: Refund) =>
  payer_customer_id === customerId ? 'Refund received' : 'Refunded';

interface Made {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly created_at: string;
}

const told = (rows: readonly Made[] | undefined, resource: string, what: (row: never) => string) =>
  (rows ?? []).map(
    (row): Movement => ({
      id: row.id,
      what: what(row as never),
      amount: row.amount,
      status: row.status,
      resource,
      at: row.created_at,
    }),
  );

/** The time between two instants; without them the newest activity is meant. */
export interface Span {
  readonly from?: string;
  readonly to?: string;
}

/** Payments, loads, withdrawals and refunds of a customer, newest first. */
export function useActivity(customerId: string, span: Span = {}) {
  const asked = { customer_id: customerId, limit: each, ...span };
  const payments = useRead('GET /portal/api/payments', asked);
  const loads = useRead('GET /portal/api/loads', asked);
  const withdrawals = useRead('GET /portal/api/withdrawals', asked);
  const refunds = useRead('GET /portal/api/refunds', asked);
  const reads = [payments, loads, withdrawals, refunds];
  const movements = [
    ...told(payments.data?.data, 'payment', (row: Payment) => paid(customerId, row)),
    ...told(loads.data?.data, 'load', () => 'Loaded'),
    ...told(withdrawals.data?.data, 'withdrawal', () => 'Withdrawn'),
    ...told(refunds.data?.data, 'refund', (row: Refund) => refunded(customerId, row)),
  ].sort((a, b) => (a.at < b.at ? 1 : -1));
  return {
    movements: movements.slice(0, each),
    isPending: reads.some((read) => read.isPending && !read.error),
    error: reads.find((read) => read.error)?.error ?? null,
    readAgain: () => {
      for (const read of reads) void read.refetch();
    },
  };
}
