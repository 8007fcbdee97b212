import { canReadCpu } from './cpu.ts';
import type { KeyName } from './keys.ts';
import { type Round, type Run, type RunName, runKinds } from './runs.ts';

/** A figure that comes out of one round's runs: which it needs, and what they make. */
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
    // Each side with what serves it and what it needs to be run: our load generator stands for the
    // Tenant's own servers and is reported apart; pgbench is the client that holds its transaction.
    of: (run) => {
      const payment = run('payments_c128');
      const reference = run('tpcb_c64');
      return (
        (payment.serviceCpu + payment.databaseCpu) / (reference.databaseCpu + reference.clientCpu)
      );
    },
    readsProc: true,
  },
  service_rss_mb: {
    needs: ['payments_c128'],
    of: (run) => run('payments_c128').rssMb ?? Number.NaN,
    readsProc: true,
  },
};

const isMeasured = (key: KeyName): boolean => canReadCpu || !figures[key]?.readsProc;

/** Whether a figure is held against TPC-B. */
export const usesReference = (key: KeyName): boolean =>
  figures[key]?.needs.some((name) => runKinds[name].load === 'tpcb') ?? false;

/** The runs that a round needs for these keys, in the order of a round. */
export function neededRuns(chosen: ReadonlySet<KeyName>): RunName[] {
  const needed = new Set(
    [...chosen].filter(isMeasured).flatMap((key) => figures[key]?.needs ?? []),
  );
  return (Object.keys(runKinds) as RunName[]).filter((name) => needed.has(name));
}

/** A figure in each round; undefined for a key that does not come out of the rounds. */
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
