import { startTestServer, type TestServer } from '../../kit/server.ts';
import { type FaultyServer, startFaultyServer } from './server.ts';

/** A service with workers on a PostgreSQL that a proof does things to. */
export interface DatabaseHouse {
  readonly server: FaultyServer;
  readonly house: TestServer;
  /** Ends both and proves the whole book. @returns a sentence for what does not hold */
  stop(): Promise<string[]>;
}

/** More than any proof sends. */
const rateLimit = 10_000_000;
/** Connections that no statement uses, in a transaction that nobody ends (reliability H6). */
const idle = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'
    and state_change < now() - interval '5 s'`;
/** The pool, the engine's two, and the two that ask at once. */
const maximumConnections = 14;
const open = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'`;

/** What the service has left on the server, now that all is quiet. */
async function leftovers({ ask }: FaultyServer): Promise<string[]> {
  const [[stuck], [all]] = await Promise.all([
    ask<{ count: number }>(idle),
    ask<{ count: number }>(open),
  ]);
  return [
    ...(stuck && stuck.count > 0 ? [`${stuck.count} connections are left in a transaction`] : []),
    ...(all && all.count > maximumConnections ? [`${all.count} connections are open`] : []),
  ];
}

/**
 * @param dataDir where the server's files lie
 * @param via another way to the server than its own url
 */
export async function openDatabaseHouse(
  dataDir?: string,
  via: (url: string) => Promise<string> = async (url) => url,
): Promise<DatabaseHouse> {
  const server = await startFaultyServer({ dataDir });
  const house = await startTestServer({
    database: { url: await via(server.url), drop: async () => {} },
    tenant: { sample: true, rateLimit },
    // What the log says of a database that is away is known.
    onLog: () => {},
  });
  return {
    server,
    house,
    async stop() {
      const left = await leftovers(server);
      try {
        await house.stop();
        return left;
      } catch (error) {
        return [...left, (error as Error).message];
      } finally {
        await server.stop();
      }
    },
  };
}
