import type { Spread } from './setup/payments.ts';

/** A load that a round holds. */
export type RunKind =
  | { readonly load: 'tpcb'; readonly clients: number }
  | { readonly load: 'payments'; readonly clients: number; readonly spread: Spread };

/** In the order of a round: what is compared lies side by side. */
export const runKinds = {
  tpcb_c64: { load: 'tpcb', clients: 64 },
  payments_c128: { load: 'payments', clients: 128, spread: 'uniform' },
  hot_c128: { load: 'payments', clients: 128, spread: 'hot' },
  tpcb_c32: { load: 'tpcb', clients: 32 },
  payments_c32: { load: 'payments', clients: 32, spread: 'uniform' },
  tpcb_c8: { load: 'tpcb', clients: 8 },
  payments_c8: { load: 'payments', clients: 8, spread: 'uniform' },
} as const satisfies Record<string, RunKind>;
export type RunName = keyof typeof runKinds;

/** What a run came to. An operation is a completed payment or a TPC-B transaction. */
export interface Run {
  readonly perSecond: number;
  readonly operations: number;
  readonly seconds: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Microseconds of processor time an operation. */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
  readonly clientCpu: number;
  /** Of the write-ahead log, an operation. */
  readonly walBytes: number;
  /** The service's largest, while answers counted. */
  readonly rssMb: number | null;
}

export type Round = Readonly<Partial<Record<RunName, Run>>>;
