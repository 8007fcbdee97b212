import type pg from 'pg';
import { usualSchema } from '../engine/database/cell.ts';
import { findDatabase, type ServiceDatabase, urlOf } from '../service/db/embedded_running.ts';
import { openDatabase } from './database.ts';
import { type Generator, startGenerator } from './load/generator.ts';
import { preloadStatements } from './measure/statements.ts';
import { freePort, type ServiceProcess, serviceCommand, startService } from './service_process.ts';
import type { PaymentMaker } from './setup/payments.ts';
import type { People } from './setup/people.ts';
import { openRandom } from './setup/random.ts';
import { openReference } from './tpcb/open.ts';
import type { Reference } from './tpcb/reference.ts';

/** The parts that the rounds use: the service with its customers, and the reference. */
export interface Bench {
  readonly service: ServiceProcess;
  /**
   * A second API process on the same database, for the runs with two. Null where no run needs it.
   */
  readonly second: ServiceProcess | null;
  readonly database: ServiceDatabase;
  /** Connected to the service's database. */
  readonly client: pg.Client;
  readonly generator: Generator;
  /** Null where no chosen figure needs it. */
  readonly reference: Reference | null;
  readonly maker: PaymentMaker;
  /** The schemas that the payments of its runs are in. */
  readonly cells: readonly string[];
  /** The inspector port of the service; null without --profile. */
  readonly inspectPort: number | null;
  readonly say: (line: string) => void;
  readonly close: () => Promise<void>;
}

const seed = 20_260_101;

export interface BenchOptions {
  readonly dataDir: string;
  readonly needsReference: boolean;
  readonly needsSecond: boolean;
  readonly canProfile: boolean;
  readonly say: (line: string) => void;
  /** Cells that the first process serves, and the second does not; absent: none. */
  readonly cells?: readonly string[];
  /** Creates the customers through the API. */
  readonly furnish: (service: ServiceProcess) => Promise<People[]>;
}

async function timed<T>(say: BenchOptions['say'], what: string, work: () => Promise<T>) {
  const started = performance.now();
  const result = await work();
  say(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/**
 * Creates the customers by a service that then ends: five minutes after its start the service proves
 * every ledger, which the loads of another one come before.
 */
async function furnishFolder(options: BenchOptions): Promise<People[]> {
  const { dataDir, say, furnish } = options;
  const service = await startService({ dataDir, ...cellsOf(options) });
  const allPeople = await timed(say, 'customers onboarded, linked and funded', () =>
    furnish(service),
  );
  await service.stop();
  return allPeople;
}

const cellsOf = ({ cells }: BenchOptions) => (cells === undefined ? {} : { cells });

/** Starts the service on an empty folder, with its customers and what else the runs need. */
export async function openBench(options: BenchOptions): Promise<Bench> {
  const { dataDir, needsReference, needsSecond, canProfile, say } = options;
  if (canProfile) await preloadStatements(dataDir);
  const inspectPort = canProfile ? await freePort() : null;
  const inspect = inspectPort === null ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const allPeople = await furnishFolder(options);
  const command = serviceCommand(...inspect);
  const service = await startService({ dataDir, command, ...cellsOf(options) });
  const database = await findDatabase(dataDir);
  const client = await openDatabase(database, 'postgres');
  const reference = needsReference
    ? await timed(say, 'TPC-B tables filled', () => openReference(database))
    : null;
  const second = needsSecond
    ? await startService({ dataDir, databaseUrl: urlOf(database, 'postgres') })
    : null;
  const generator = startGenerator();
  const maker = { port: service.port, generator, allPeople, random: openRandom(seed) };
  async function close(): Promise<void> {
    generator.stop();
    await client.end();
    await second?.stop();
    await service.stop();
  }
  const parts = { service, second, database, client, generator, reference, maker, inspectPort };
  return { ...parts, cells: options.cells ?? [usualSchema], say, close };
}
