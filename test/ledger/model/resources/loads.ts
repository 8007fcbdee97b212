import {
  type Book,
  become,
  count,
  dayMs,
  dayOf,
  fitsLimits,
  isOpen,
  limitKey,
  type ModelLoad,
  type ModelPerson,
  newSession,
  workingLink,
} from '../types.ts';

const minimumCents = 100;
/** A Request for Payment to load is answered within a day (decisions 1.8). */
const bankMs = dayMs;
const blockDays = 30;

/** Open loads are counted without a day. */
const always = '';

/** The first day of the thirty, counted from the account's opening, in which a day falls. */
export function blockOf(openedMs: number, day: string): string {
  const firstMs = Date.parse(dayOf(openedMs));
  const blocks = Math.floor((Date.parse(day) - firstMs) / (blockDays * dayMs));
  return new Date(firstMs + blocks * blockDays * dayMs).toISOString().slice(0, day.length);
}

/** Money asked of a customer's own bank. */
export function openLoads(book: Book) {
  const { loads, settings } = book;

  function isWithin(customer: ModelPerson, amount: number, day: string, block: string): boolean {
    const { type, used, available, pending, earmarked } = customer;
    const within = (limit: 'load_30_day' | 'balance_maximum', before: number) =>
      before + amount <= (settings.limits[limit][type] ?? Infinity);
    const open = used.get(limitKey('open_loads', always)) ?? 0;
    return (
      fitsLimits(book, 'load', customer, amount, day) &&
      within('load_30_day', used.get(limitKey('load_30_day', block)) ?? 0) &&
      within('balance_maximum', available + pending + earmarked + open)
    );
  }

  function giveBack({ customer, amount, day, block }: ModelLoad): void {
    count('load', customer, day, -amount);
    count('load_30_day', customer, block, -amount);
  }

  function fail(load: ModelLoad, failureCode: string): void {
    // What had not been sent was nobody's to wait for.
    if (load.status === 'processing') load.customer.isNews = true;
    count('open_loads', load.customer, always, -load.amount);
    giveBack(load);
    become(load, 'failed', { failureCode, deadlineMs: null, timeoutMs: null });
    if (load.session) load.session.live = false;
  }

  return {
    fail,
    create(customer: ModelPerson, amount: number, nowMs: number): string {
      if (amount < minimumCents) return 'parameter_invalid';
      if (customer.status !== 'active') return 'account_restricted';
      const link = customer.links.find(({ status }) => status === 'verified');
      if (!link) return 'linked_account_required';
      if (!workingLink(customer, 'load')) return 'capability_unavailable';
      const day = dayOf(nowMs);
      const block = blockOf(customer.openedMs, day);
      if (!isWithin(customer, amount, day, block)) return 'limit_exceeded';
      count('load', customer, day, amount);
      count('load_30_day', customer, block, amount);
      count('open_loads', customer, always, amount);
      loads.push({
        kind: 'load',
        id: '',
        events: ['created'],
        customer,
        amount,
        link,
        day,
        block,
        session: newSession(nowMs),
        deadlineMs: null,
        timeoutMs: null,
        status: 'requires_confirmation',
        oddMoney: new Set(),
        failureCode: null,
      });
      return 'done';
    },
    confirm(load: ModelLoad, nowMs: number): string {
      const { status } = load.link;
      if (status === 'removed') fail(load, 'linked_account_removed');
      else if (status !== 'verified') fail(load, 'linked_account_failed');
      else become(load, 'processing', { timeoutMs: nowMs + bankMs });
      return 'done';
    },
    /** What the bank says. */
    answer(load: ModelLoad, pays: boolean): string {
      if (load.status !== 'processing') return 'invalid_state';
      if (!pays) {
        fail(load, 'customer_refused');
        return 'done';
      }
      const { customer, amount } = load;
      count('open_loads', customer, always, -amount);
      customer.available += amount;
      customer.isNews = true;
      become(load, 'settled', { timeoutMs: null });
      return 'done';
    },
    /** Those that wait for the customer of a suspended or closing account. */
    restrict(customer: ModelPerson): void {
      for (const one of loads)
        if (one.customer === customer && isOpen(one)) fail(one, 'account_restricted');
    },
    nextDueMs: (): number =>
      Math.min(...loads.map(({ timeoutMs }) => timeoutMs ?? Infinity), Infinity),
    runDue(nowMs: number): void {
      for (const load of loads)
        if ((load.timeoutMs ?? Infinity) <= nowMs) fail(load, 'request_expired');
    },
  };
}
