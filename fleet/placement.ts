import { inSchema, usualSchema, withOptions } from '@tenant-payments/engine/database/cell.ts';
import { otherHosts } from '@tenant-payments/engine/database/hosts.ts';
import { type RunLoop, runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';
import type { Pool } from 'pg';
import { withClient } from './cells.ts';

/** A node on which Citus has cells: each of its distributed schemas lies on one node (rules/cells#26). */

interface Node {
  readonly host: string;
  readonly port: number;
}

interface PlacedCell extends Node {
  readonly cell: string;
  /** Whether it lies on the coordinator, which has control. */
  readonly isHome: boolean;
}

/** Schemas with tables of ours alone. */
const placedSql = `select s.schema_name::text as cell, n.nodename as host, n.nodeport as port,
    n.groupid = 0 as "isHome"
  from citus_schemas s
    join lateral (select distinct c.nodename, c.nodeport from citus_shards c
      where c.colocation_id = s.colocation_id) c on true
    join pg_dist_node n on n.nodename = c.nodename and n.nodeport = c.nodeport
  where to_regclass(format('%I.schema_migrations', s.schema_name::text)) is not null
  order by 1`;

const nodesSql = `select nodename as host, nodeport as port from pg_dist_node
  where isactive and noderole = 'primary' and groupid <> 0 order by groupid`;

/** The same database, login and parameters at another node. */
export function atNode(url: string, { host, port }: Node): string {
  const changed = new URL(url);
  changed.hostname = host;
  changed.port = String(port);
  changed.searchParams.delete('host');
  changed.searchParams.delete('port');
  changed.searchParams.delete(otherHosts);
  return changed.href;
}

/** @param url of the coordinator */
export const placementOf = (url: string): Promise<readonly PlacedCell[]> =>
  withClient(url, async (client) => (await client.query<PlacedCell>(placedSql)).rows);

/** The nodes that have, or can be given, a cell, as the login of this address of the coordinator reaches them. */
export const nodesOf = (url: string): Promise<readonly string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Node>(nodesSql);
    return rows.map((node) => atNode(url, node));
  });

type Settings = Pick<Config, 'cells' | 'remoteCells' | 'isOnCitus' | 'migrationDatabaseUrl'>;

/**
 * The settings with the cells that Citus has, beside the usual one of its coordinator; others as they are.
 * @param databaseUrl of the coordinator, as the service's login reaches it
 */
export async function withPlacement<C extends Settings>(
  config: C,
  databaseUrl: string,
): Promise<C> {
  if (!config.isOnCitus) return config;
  const { migrationDatabaseUrl } = config;
  const placed = await placementOf(databaseUrl);
  const remote = placed
    .filter(({ isHome }) => !isHome)
    .map((node) => {
      const migrating = migrationDatabaseUrl && atNode(migrationDatabaseUrl, node);
      return [
        node.cell,
        { databaseUrl: atNode(databaseUrl, node), migrationDatabaseUrl: migrating },
      ] as const;
    });
  return {
    ...config,
    cells: [usualSchema, ...placed.map(({ cell }) => cell)],
    remoteCells: new Map(remote),
  };
}

const followEveryMs = 1_000;

/** Follows cells that are moved from node to node. */
export interface Placement extends Pick<RunLoop, 'start' | 'stop'> {
  /** The present address of a cell. @param url of it at any node */
  addressOf(cell: string, url: string): () => string;
}

/** @param coordinator whose answer says where cells are; read once a second */
export function openPlacement(
  coordinator: () => Pick<Pool, 'query'> | undefined,
  log: Parameters<typeof runLoop>[0]['log'],
): Placement {
  let nodes: ReadonlyMap<string, Node> = new Map();
  const loop = runLoop({
    pauseMs: () => followEveryMs,
    async turn() {
      const rows = (await coordinator()?.query<PlacedCell>(placedSql))?.rows ?? [];
      nodes = new Map(rows.map((node) => [node.cell, node]));
      return undefined;
    },
    failure: 'the placement of cells cannot be read',
    log,
  });
  return {
    start: loop.start,
    stop: loop.stop,
    addressOf: (cell, url) => () => {
      const node = nodes.get(cell);
      return node ? atNode(url, node) : url;
    },
  };
}

/** A cell of Citus by way of its coordinator, which makes its schema a distributed one. */
export const throughCoordinator = (url: string, cell: string): string =>
  inSchema(withOptions(url, '-c citus.enable_schema_based_sharding=on'), cell);
