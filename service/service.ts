import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Tracing } from '@tenant-payments/engine/trace.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { AlarmLog } from './alarms/alarm_log.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database.ts';
import type { Standby } from './db/standby.ts';
import type { RequestLog } from './http/log/request_log.ts';
import type { DatabaseClock } from './operations/database_clock.ts';
import type { Meters } from './operations/meters.ts';
import type { ProcessRegistry } from './operations/process_registry.ts';
import type { WaitingOrders } from './operations/waiting_orders.ts';
import type { SandboxTools } from './sandbox_tools.ts';

/** The cells of a process. */
export interface Peers {
  /** The open cells, in the order of `CELLS`, without those that were away at the start. */
  readonly open: readonly Service[];
  /** Names of those that were away at the start, and are not open yet (rules/cells#24). */
  readonly away: ReadonlySet<string>;
  /** All of them. @throws ApiError 503 while one is away: a part would look like the whole */
  all(): readonly Service[];
  /** Undefined: the process does not serve it. @throws ApiError 503 while it is away */
  at(cell: string): Service | undefined;
  add(service: Service): void;
  /** Takes back one that cannot be served after all. */
  drop(service: Service): void;
  leave(cell: string): void;
  /** A cell that was away is served from now on. */
  welcome(cell: string): void;
}

/** The objects that the parts of the service share; composed by hand in `app.ts`. */
export interface Service {
  readonly config: Config;
  readonly environment: 'sandbox' | 'production';
  /** The schema of its tables (rules/cells#2). */
  readonly cell: string;
  /** The cells that this process serves, this one among them. */
  readonly peers: Peers;
  readonly engine: Engine;
  /** Runs commands of the platform: the same one, but for a remote cell, where it is of control's database. */
  readonly platformEngine: Engine;
  readonly clocks: Clocks;
  /** The source of real time of `clocks`, which knows how far the machine is from it. */
  readonly databaseClock: DatabaseClock;
  /** Reads, jobs and the portal. The engine has a connection of its own. */
  readonly pool: pg.Pool;
  /** The pool through which files are read, whose readers may be slow: the others never wait for them. */
  readonly downloadPool: pg.Pool;
  /** The server where proofs and files may be read instead; nothing that decides is. */
  readonly standby: Standby;
  /** The pool of what belongs to no Tenant: people, the audit, alarms. For a remote cell it is another server's. */
  readonly control: pg.Pool;
  /** Its server is not that of control (rules/cells#21). */
  readonly isRemote: boolean;
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  /** The receiver of its traces' spans. */
  readonly tracing: Tracing;
  /** Null in production. */
  readonly sandboxTools: SandboxTools | null;
  /** Its lines with the field `alarm` also become rows, by `alarmLog`. */
  readonly log: Logger;
  readonly alarmLog: AlarmLog;
  readonly meters: Meters;
  /** The orders that their bank has not answered (rules/bank-orders#25). */
  readonly waitingOrders: () => Promise<WaitingOrders>;
  /** The processes that share this database. */
  readonly processRegistry: ProcessRegistry;
  readonly requestLog: RequestLog;
}
