import type { Client } from 'pg';

/** One of the two cells of a move. */
export interface Side {
  /** A connection to its database, as the owner of its tables. */
  readonly client: Client;
  readonly cell: string;
  /** The cell as SQL names it: its schema, quoted. */
  readonly schema: string;
}

/** The Tenant whose rows move, and the cells from and to. */
export interface Route {
  readonly tenantId: string;
  readonly from: Side;
  readonly to: Side;
  /** A connection to the database of control: that of both sides, where they are in it. */
  readonly control: Client;
}

/** Whether both cells are in the database of control, so that one transaction moves a Tenant. */
export const isBeside = ({ from, to }: Pick<Route, 'from' | 'to'>): boolean =>
  from.client === to.client;

/**
 * SQL: lets append-only tables lose rows of the Tenant `$1` in a cell that is not its own, until the
 * transaction ends (rules/cells#18).
 */
const leaveBehind = `select set_config('tenant_payments.left_behind', $1, true)`;

/** For the transaction that is open. */
export const letLeave = (client: Client, tenantId: string) => client.query(leaveBehind, [tenantId]);

interface Transaction {
  readonly begin?: string;
  /** Told when the new cell has committed, and the old one has not. */
  readonly arrived?: () => void | Promise<void>;
}

/**
 * Runs `work` in a transaction of each side, in which both may lose rows of the Tenant. The new cell commits
 * first: a Tenant that has left the old one is whole in the new one.
 */
export async function inBoth<T>(
  { tenantId, from, to }: Route,
  work: () => Promise<T>,
  { begin = 'begin', arrived }: Transaction = {},
): Promise<T> {
  const clients = [...new Set([to.client, from.client])];
  try {
    for (const client of clients) {
      await client.query(begin);
      await letLeave(client, tenantId);
    }
    const result = await work();
    await to.client.query('commit');
    if (to.client !== from.client) {
      await arrived?.();
      await from.client.query('commit');
    }
    return result;
  } catch (error) {
    for (const client of clients) await client.query('rollback').catch(() => {});
    throw error;
  }
}
