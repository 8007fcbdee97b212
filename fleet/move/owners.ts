import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Client } from 'pg';
import { firstRow } from './carry.ts';
import type { Route, Side } from './route.ts';

/** How the owners of the tables reach the cells of a deployment. */
export interface Owners {
  /** The database of control, which has every cell that is not remote. */
  readonly control: string;
  /** By cell. */
  readonly remote: ReadonlyMap<string, string>;
}

/** The connections of a move; everything is closed when it is over. */
export interface Connections {
  readonly control: Client;
  /** @throws ApiError where one of the cells is not in its database */
  connect(tenantId: string, from: string, to: string): Promise<Route>;
}

/**
 * Tables that a move has just filled or cleared have statistics of before: with a loop for each row, one
 * statement took ten seconds for 6,000 rows.
 */
const wholeTables = 'set enable_nestloop = off';

export async function withConnections<T>(
  { control: controlUrl, remote }: Owners,
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  const opened: Client[] = [];

  async function open(url: string): Promise<Client> {
    const client = await openClient(url);
    opened.push(client);
    await client.query(wholeTables);
    return client;
  }

  async function sideOf(client: Client, cell: string): Promise<Side> {
    const sql = 'select from pg_namespace where nspname = $1';
    if ((await firstRow(client, sql, [cell])) === undefined)
      throw fail('parameter_invalid', {
        param: 'to',
        details: { reason: 'unknown_cell' },
        message: `${cell} is not in the database that the settings name for it`,
      });
    return { client, cell, schema: client.escapeIdentifier(cell) };
  }

  try {
    const control = await open(controlUrl);
    const connect: Connections['connect'] = async (tenantId, from, to) => {
      const isBeside = !remote.has(from) && !remote.has(to);
      const connected = async (cell: string) =>
        sideOf(isBeside ? control : await open(remote.get(cell) ?? controlUrl), cell);
      return { tenantId, control, from: await connected(from), to: await connected(to) };
    };
    return await work({ control, connect });
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}
