import type { ServiceDatabase } from '../../service/db/embedded_running.ts';
import type { WindowEvents } from '../load/window.ts';

/** A TPC-B-like load on the same server, to compare payments with. */
export interface Reference {
  /** Its name and version; figures of different references are never mixed. */
  readonly name: string;
  /** Whether must and goal apply: they were set against pgbench. */
  readonly isPgbench: boolean;
  readonly run: (plan: ReferencePlan) => Promise<ReferenceReport>;
}

export interface ReferencePlan {
  readonly database: ServiceDatabase;
  readonly clients: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Called with the process id of the load before the window opens. */
  readonly onStart: (pid: number) => void;
  readonly window: WindowEvents;
}

export interface ReferenceReport {
  /** Transactions of the window, and its length. */
  readonly transactions: number;
  readonly seconds: number;
}

export const referenceDatabase = 'bench_tpcb';
/** 5 million accounts, about 750 MB, in pgbench's unit of 100,000 accounts. */
export const scale = 50;
