import type { Operations } from '../../contract/operate/operations.ts';

/** The figures that the pages show of a cell, or of several together (rules/cells#12). */
export type Seen = Omit<Operations, 'object' | 'at' | 'worries'>;

type Jobs = Seen['jobs'];
type Queue = Jobs['queues'][number];
type Process = Seen['processes'][number];

/** The earlier of two by the text of its time; null counts as none. */
function earlier<T>(a: T | null, b: T | null, at: (one: T) => string): T | null {
  if (a === null || b === null) return a ?? b;
  return at(b) < at(a) ? b : a;
}

/** The sums of the named figures. */
const sums = <K extends string>(
  a: Readonly<Record<K, number>>,
  b: Readonly<Record<K, number>>,
  ...names: K[]
) => Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Record<K, number>;

const counts = ['waiting', 'overdue', 'failing'] as const;
const dueOf = ({ due_at }: { readonly due_at: string }): string => due_at;

/** A process is one row, with the roles that it has in any cell. */
function processesOf(all: readonly Process[]): Process[] {
  const found = new Map<string, Process>();
  for (const one of all) {
    const before = found.get(one.id);
    const roles = [...new Set([...(before?.roles ?? []), ...one.roles])].sort();
    found.set(one.id, { ...(before ?? one), roles });
  }
  return [...found.values()].sort((a, b) => (a.started_at < b.started_at ? -1 : 1));
}

/** Whether a job of this queue fails or is late; such queues come first. */
const isBad = ({ failing, overdue }: Queue): boolean => failing + overdue > 0;

function queuesOf(all: readonly Queue[]): Queue[] {
  const found = new Map<string, Queue>();
  for (const one of all) {
    const before = found.get(one.job);
    const oldest = earlier(before?.oldest ?? null, one.oldest, dueOf);
    found.set(one.job, before ? { ...one, ...sums(before, one, ...counts), oldest } : one);
  }
  const place = (queue: Queue) =>
    `${isBad(queue) ? 0 : 1} ${queue.oldest?.due_at ?? '9'} ${queue.job}`;
  return [...found.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

const jobsOf = (a: Jobs, b: Jobs): Jobs => ({
  ...sums(a, b, ...counts),
  is_all: a.is_all && b.is_all,
  late_seconds: Math.max(a.late_seconds, b.late_seconds),
  oldest: earlier(a.oldest, b.oldest, dueOf),
  queues: queuesOf([...a.queues, ...b.queues]),
});

/** Two cells as one. */
export const together = (a: Seen, b: Seen): Seen => ({
  processes: processesOf([...a.processes, ...b.processes]),
  jobs: jobsOf(a.jobs, b.jobs),
  deliveries: {
    ...sums(a.deliveries, b.deliveries, 'waiting', 'overdue', 'retrying'),
    is_all: a.deliveries.is_all && b.deliveries.is_all,
    late_seconds: Math.max(a.deliveries.late_seconds, b.deliveries.late_seconds),
    oldest_seconds: Math.max(a.deliveries.oldest_seconds, b.deliveries.oldest_seconds),
    oldest: earlier(a.deliveries.oldest, b.deliveries.oldest, (event) => event.waiting_since),
  },
  database: sums(a.database, b.database, 'in_use', 'idle', 'waiting'),
  proofs: {
    ...sums(a.proofs, b.proofs, 'tenants', 'proven', 'violated', 'not_proven'),
    oldest_at: earlier(a.proofs.oldest_at, b.proofs.oldest_at, (at) => at),
  },
});
