import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { takeUpOrder } from '../inbound/instruction_job.ts';
import { onlyHere } from '../operations/alone.ts';
import { ordersWithoutJob, overdueOrders, type UnansweredOrder } from '../rails/unanswered.ts';
import type { Service } from '../service.ts';

const firstAfterMs = 5 * 60_000;
const everyMs = 15 * 60_000;
/** The oldest tell what is wrong; the log takes ten lines a second of an alarm. */
const toldAtOnce = 10;

type Needs = Pick<
  Service,
  'pool' | 'control' | 'clocks' | 'log' | 'alarmLog' | 'config' | 'engine'
>;

/**
 * Tells of orders that the bank has not answered for long (rules/bank-orders#26), and takes up those that have lost
 * their job (rules/bank-orders#30).
 */
export interface OrderWatch {
  /** Looks some minutes after the start, and then each quarter of an hour. Only a worker does. */
  start(): void;
  /** Looks now, unless another process does. */
  watchNow(): Promise<void>;
  stop(): Promise<void>;
}

export function openOrderWatch(service: Needs): OrderWatch {
  const { pool, control, clocks, log, alarmLog, config, engine } = service;
  const keyOf = (scope: string, order: string) => `${scope} ${order}`;

  /** The orders that were told of today, by whichever process. */
  async function toldOn(day: string): Promise<Set<string>> {
    const { rows } = await control.query<{ scope: string; record: string }>(
      'select scope, record from control.alarms where alarm = $1 and day = $2',
      ['order_unanswered', day],
    );
    return new Set(rows.map(({ scope, record }) => keyOf(scope, record)));
  }

  function tell({ tenantId, id, purpose, since }: UnansweredOrder, waiting: number): void {
    log.error(
      { alarm: 'order_unanswered', tenant_id: tenantId, order_id: id, purpose, since, waiting },
      'the bank has not said how an order ended that it has had for long',
    );
  }

  async function tellOverdue(): Promise<void> {
    const now = instantOf(clocks.realNow());
    const overdue = await overdueOrders(pool, now, config.orderAlarmHours);
    if (overdue.length === 0) return;
    const told = await toldOn(now.slice(0, 10));
    const news = overdue.filter(({ tenantId, id }) => !told.has(keyOf(tenantId, id)));
    for (const order of news.slice(0, toldAtOnce)) tell(order, overdue.length);
    // Whoever looks next finds them told.
    await alarmLog.flush();
  }

  /** A Tenant that takes no commands now keeps none of the others from it. */
  async function takeUp(): Promise<void> {
    for (const { tenant_id, id } of await ordersWithoutJob(pool)) {
      const facts = { tenant_id, order_id: id };
      await engine.submit(takeUpOrder, { tenantId: tenant_id, input: { id }, lane: 'job' }).then(
        () => log.warn(facts, 'an order had lost its job, and has one again'),
        (error: unknown) =>
          log.error({ ...facts, fault: faultFacts(error) }, 'an order without a job stays so'),
      );
    }
  }

  async function watch(): Promise<void> {
    await tellOverdue();
    await takeUp();
  }

  const watchNow = () => onlyHere(pool, 'order_watch', watch);
  const loop = runLoop({
    firstAfterMs,
    pauseMs: () => everyMs,
    turn: async () => void (await watchNow()),
    failure: 'orders that the bank has not answered could not be looked for',
    log,
  });
  return { start: loop.start, watchNow, stop: loop.stop };
}
