import {
  become,
  count,
  type Due,
  dayMs,
  dayOf,
  endTarget,
  fitsLimits,
  type Ledger,
  limitKey,
  type ModelLoad,
  type ModelPerson,
  newSession,
  newTarget,
  workingLink,
} from '../types.ts';

const minimumCents = 100;
/** A Request for Payment to load is answered within a day. */
const bankMs = dayMs;
const blockDays = 30;
/** Open loads are counted without a day. */
const always = '';

/** The first day of the thirty, counted from the account's opening, that a day belongs to. */
export function blockOf(openedMs: number, day: string): string {
  const firstMs = Date.parse(dayOf(openedMs));
  const blocks = Math.floor((Date.parse(day) - firstMs) / (blockDays * dayMs));
  return new Date(firstMs + blocks * blockDays * dayMs).toISOString().slice(0, day.length);
}

/** Money requested from a customer's own bank. */
export function openLoads(ledger: Ledger) {
  const { loads, settings, clock } = ledger;

  function isWithin(customer: ModelPerson, amount: number, day: string, block: string): boolean {
    const { type, used, available, pending, earmarked } = customer;
    const within = (limit: 'load_30_day' | 'balance_maximum', before: number) =>
      before + amount <= (settings.limits[limit][type] ?? Infinity);
    const open = used.get(limitKey('open_loads', always)) ?? 0;
    return (
      fitsLimits(ledger, 'load', customer, amount, day) &&
      within('load_30_day', used.get(limitKey('load_30_day', block)) ?? 0) &&
      within('balance_maximum', available + pending + earmarked + open)
    );
  }

  function fail(load: ModelLoad, failureCode: string): void {
    const { customer, amount, day, block, status } = load;
    // A load that was not sent has kept nothing waiting.
    if (status === 'processing') customer.isNews = true;
    count('open_loads', customer, always, -amount);
    count('load', customer, day, -amount);
    count('load_30_day', customer, block, -amount);
    endTarget(load, 'failed', failureCode);
  }

  return {
    end: fail,
    create(customer: ModelPerson, amount: number): string {
      if (amount < minimumCents) return 'parameter_invalid';
      if (customer.status !== 'active') return 'account_restricted';
      const link = customer.links.find(({ status }) => status === 'verified');
      if (!link) return 'linked_account_required';
      if (!workingLink(customer, 'load')) return 'capability_unavailable';
      const day = dayOf(clock.nowMs);
      const block = blockOf(customer.openedMs, day);
      if (!isWithin(customer, amount, day, block)) return 'limit_exceeded';
      count('load', customer, day, amount);
      count('load_30_day', customer, block, amount);
      count('open_loads', customer, always, amount);
      loads.push({
        ...newTarget(),
        kind: 'load',
        status: 'requires_confirmation',
        events: ['created'],
        session: newSession(ledger),
        customer,
        amount,
        link,
        day,
        block,
      });
      return 'done';
    },
    confirm(load: ModelLoad): string {
      const { status } = load.link;
      if (status === 'removed') fail(load, 'linked_account_removed');
      else if (status !== 'verified') fail(load, 'linked_account_failed');
      else become(load, 'processing', { timeoutMs: clock.nowMs + bankMs });
      return 'done';
    },
    answer(load: ModelLoad, pays: boolean): void {
      const { customer, amount } = load;
      if (!pays) {
        fail(load, 'customer_refused');
        return;
      }
      count('open_loads', customer, always, -amount);
      customer.available += amount;
      customer.isNews = true;
      become(load, 'settled', { timeoutMs: null });
    },
    *due(): Due {
      for (const load of loads) yield [load.timeoutMs, () => fail(load, 'request_expired')];
    },
  };
}
