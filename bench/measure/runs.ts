import type { Spread } from '../setup/payments.ts';

/** A load of payments; `pairs` creates each payment too, and both requests are one operation. */
export interface PaymentsKind {
  readonly load: 'payments' | 'pairs';
  readonly clients: number;
  readonly spread: Spread;
  /** API processes that share the clients evenly, or the second one alone. */
  readonly processes: 1 | 2 | 'second';
}

/** A load of a round. */
export type RunKind = { readonly load: 'tpcb'; readonly clients: number } | PaymentsKind;

export const needsSecondProcess = (kind: RunKind): boolean =>
  kind.load !== 'tpcb' && kind.processes !== 1;

/** Completes payments of all tenants, in the one process of `npm start`. */
const payments = { load: 'payments', spread: 'uniform', processes: 1 } as const;

/** In the order of a round: runs that are compared are next to each other. */
export const runKinds = {
  create_and_complete_c128: { ...payments, load: 'pairs', clients: 128 },
  tpcb_c64: { load: 'tpcb', clients: 64 },
  payments_c128: { ...payments, clients: 128 },
  payments_2proc_c128: { ...payments, clients: 128, processes: 2 },
  hot_c128: { ...payments, clients: 128, spread: 'hot' },
  payments_1tenant_c128: { ...payments, clients: 128, spread: 'one' },
  payments_1000tenants_c128: { ...payments, clients: 128, spread: 'others' },
  payments_1cell_c128: { ...payments, clients: 128, spread: 'first_cell', processes: 'second' },
  payments_2cells_c128: { ...payments, clients: 128 },
  tpcb_c32: { load: 'tpcb', clients: 32 },
  payments_c32: { ...payments, clients: 32 },
  tpcb_c8: { load: 'tpcb', clients: 8 },
  payments_c8: { ...payments, clients: 8 },
  tpcb_c1: { load: 'tpcb', clients: 1 },
  payments_c1: { ...payments, clients: 1 },
} as const satisfies Record<string, RunKind>;
export type RunName = keyof typeof runKinds;

/** The result of a run. An operation is a completed payment, a pair, or a TPC-B transaction. */
export interface Run {
  readonly perSecond: number;
  readonly operations: number;
  readonly seconds: number;
  /** The time of a pair: from its first request to its second reply. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Microseconds of processor time for one operation. */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
  readonly clientCpu: number;
  /** Bytes of write-ahead log for one operation. */
  readonly walBytes: number;
  /** The highest resident memory of all service processes together in the window. */
  readonly rssMb: number | null;
}

export type Round = Readonly<Partial<Record<RunName, Run>>>;
