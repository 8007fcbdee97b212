import type { KeyName } from './keys.ts';
import { canReadCpu } from './measure/cpu.ts';
import { type Round, type Run, type RunName, runKinds } from './measure/runs.ts';

/** A figure of one round: the runs that it needs, and how it is computed. */
interface Figure {
  readonly needs: readonly RunName[];
  readonly of: (run: (name: RunName) => Run) => number;
  readonly readsProc?: boolean;
}

const rateRatio = (above: RunName, below: RunName): Figure => ({
  needs: [above, below],
  of: (run) => run(above).perSecond / run(below).perSecond,
});

/** The figures of the rounds. A ratio is always of two runs of the same round. */
const figures: Readonly<Partial<Record<KeyName, Figure>>> = {
  payments_c128_vs_tpcb_c64: rateRatio('payments_c128', 'tpcb_c64'),
  payments_c32_vs_tpcb_c32: rateRatio('payments_c32', 'tpcb_c32'),
  payments_c8_vs_tpcb_c8: rateRatio('payments_c8', 'tpcb_c8'),
  create_and_complete_c128_vs_tpcb_c64: rateRatio('create_and_complete_c128', 'tpcb_c64'),
  payments_2proc_vs_1proc: rateRatio('payments_2proc_c128', 'payments_c128'),
  hot_vs_uniform_c128: rateRatio('hot_c128', 'payments_c128'),
  cpu_per_payment_vs_tpcb: {
    needs: ['payments_c128', 'tpcb_c64'],
    // Our load generator stands for the Tenant's servers, so its time is left out; pgbench is the
    // client that runs its transaction, so its time counts.
    of: (run) => {
      const payment = run('payments_c128');
      const reference = run('tpcb_c64');
      return (
        (payment.serviceCpu + payment.databaseCpu) / (reference.databaseCpu + reference.clientCpu)
      );
    },
    readsProc: true,
  },
  database_cpu_per_payment_vs_tpcb: {
    needs: ['payments_c128', 'tpcb_c64'],
    of: (run) => run('payments_c128').databaseCpu / run('tpcb_c64').databaseCpu,
    readsProc: true,
  },
  confirm_c1_p50_ms: {
    needs: ['payments_c1', 'tpcb_c1'],
    of: (run) => ((run('payments_c1').p50Ms ?? Number.NaN) * run('tpcb_c1').perSecond) / 1_000,
  },
  wal_kb_per_payment: {
    needs: ['payments_c128'],
    of: (run) => run('payments_c128').walBytes / 1_000,
  },
  service_rss_mb: {
    needs: ['payments_c128'],
    of: (run) => run('payments_c128').rssMb ?? Number.NaN,
    readsProc: true,
  },
};

const isMeasured = (key: KeyName): boolean => canReadCpu || !figures[key]?.readsProc;

/** Whether a figure is compared with TPC-B. */
export const usesReference = (key: KeyName): boolean =>
  figures[key]?.needs.some((name) => runKinds[name].load === 'tpcb') ?? false;

/** The runs that a round needs for these keys, in the order of a round. */
export function neededRuns(chosen: ReadonlySet<KeyName>): RunName[] {
  const needed = new Set(
    [...chosen].filter(isMeasured).flatMap((key) => figures[key]?.needs ?? []),
  );
  return (Object.keys(runKinds) as RunName[]).filter((name) => needed.has(name));
}

/** A figure in each round; undefined for a key that the rounds do not measure. */
export function figureOf(key: KeyName, rounds: readonly Round[]): readonly number[] | undefined {
  const figure = figures[key];
  if (!figure || !isMeasured(key)) return undefined;
  return rounds.map((round) =>
    figure.of((name) => {
      const run = round[name];
      if (!run) throw new Error(`the round has no ${name}`);
      return run;
    }),
  );
}
