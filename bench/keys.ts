/** One figure of the bench, in the form of its JSON (rules/operations#38). */
export interface Key {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** The limit that the service must meet; null where there is none. */
  readonly must: number | null;
  /** The value that we work towards; null where there is none. */
  readonly goal: number | null;
}

/** Every figure of `npm run bench`, in the order of the printed table. */
export const keys = [
  {
    key: 'payments_c128_vs_tpcb_c64',
    title: 'completed payments at 128 clients / TPC-B transactions at 64',
    unit: 'ratio',
    better: 'higher',
    must: 0.65,
    goal: 1,
  },
  {
    key: 'payments_c32_vs_tpcb_c32',
    title: 'completed payments / TPC-B transactions, both at 32 clients',
    unit: 'ratio',
    better: 'higher',
    must: 0.42,
    goal: 0.7,
  },
  {
    key: 'payments_c8_vs_tpcb_c8',
    title: 'completed payments / TPC-B transactions, both at 8 clients',
    unit: 'ratio',
    better: 'higher',
    must: 0.3,
    goal: 0.5,
  },
  {
    key: 'create_and_complete_c128_vs_tpcb_c64',
    title: 'payments created and completed at 128 clients / TPC-B transactions at 64',
    unit: 'ratio',
    better: 'higher',
    must: 0.35,
    goal: 0.6,
  },
  {
    key: 'hot_vs_uniform_c128',
    title: 'payments to one merchant / payments to all of them, at 128 clients',
    unit: 'ratio',
    better: 'higher',
    must: 0.8,
    goal: 1,
  },
  {
    key: 'payments_2proc_vs_1proc',
    title: 'completed payments by two API processes on one database / by one, at 128 clients',
    unit: 'ratio',
    better: 'higher',
    must: 1.2,
    goal: 1.4,
  },
  {
    key: 'cpu_per_payment_vs_tpcb',
    title: 'CPU of service and PostgreSQL per payment / of pgbench and PostgreSQL per TPC-B',
    unit: 'ratio',
    better: 'lower',
    must: 1.15,
    goal: 0.7,
  },
  {
    key: 'database_cpu_per_payment_vs_tpcb',
    title: 'CPU of PostgreSQL alone, which more processes do not share, for the same two',
    unit: 'ratio',
    better: 'lower',
    must: 0.7,
    goal: 0.5,
  },
  {
    key: 'confirm_c1_p50_ms',
    title: 'one caller: the median of a confirmation / the mean of a TPC-B transaction, in ms both',
    unit: 'ratio',
    better: 'lower',
    must: 3,
    goal: 2,
  },
  {
    key: 'wal_kb_per_payment',
    title: 'write-ahead log of a completed payment, its pages written in full among it',
    unit: 'kB',
    better: 'lower',
    must: 5,
    goal: 3.5,
  },
  {
    key: 'service_rss_mb',
    title: 'resident memory of the service under the load of 128 clients',
    unit: 'MB',
    better: 'lower',
    must: 220,
    goal: 140,
  },
  {
    key: 'cold_start_seconds',
    title: 'from an empty folder to the first 200 of /readyz',
    unit: 's',
    better: 'lower',
    must: 1.3,
    goal: 1,
  },
  {
    key: 'warm_start_seconds',
    title: 'the same again on the existing data',
    unit: 's',
    better: 'lower',
    must: 0.55,
    goal: 0.4,
  },
  {
    key: 'recon_1m_seconds',
    title: 'the report of a day of 1,000,000 postings, from the instant it is due until it is made',
    unit: 's',
    better: 'lower',
    must: 0.5,
    goal: 0.5,
  },
  {
    key: 'recon_read_ms',
    title: 'reading that report back',
    unit: 'ms',
    better: 'lower',
    must: 20,
    goal: 20,
  },
  {
    key: 'csv_1m_vs_copy',
    title: "downloading its file / a raw COPY of the file's rows without a receiver",
    unit: 'ratio',
    better: 'lower',
    must: 1.5,
    goal: 1.5,
  },
  {
    key: 'csv_1m_peak_rss_mb',
    title: 'the most resident memory of the service during the download',
    unit: 'MB',
    better: 'lower',
    must: 160,
    goal: 120,
  },
  {
    key: 'page_1m_vs_10k_p50',
    title: 'a page of 25 Transactions of an account with 1,000,000 / of one with 10,000',
    unit: 'ratio',
    better: 'lower',
    must: 1.5,
    goal: 1.5,
  },
] as const satisfies readonly Key[];

export type KeyName = (typeof keys)[number]['key'];

/**
 * The keys that `--only` names, in full or by a common prefix; all without it.
 * @throws one line when a word matches no key
 */
export function chosenKeys(only: string | undefined): ReadonlySet<KeyName> {
  if (only === undefined) return new Set(keys.map(({ key }) => key));
  const found = new Set<KeyName>();
  for (const word of only.split(',')) {
    const named = keys.filter(({ key }) => word !== '' && key.startsWith(word));
    if (named.length === 0)
      throw new Error(
        `--only: "${word}" is not the start of any of ${keys.map(({ key }) => key).join(', ')}`,
      );
    for (const { key } of named) found.add(key);
  }
  return found;
}
