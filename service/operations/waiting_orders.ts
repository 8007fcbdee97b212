import type { Config } from '../config/config.ts';
import type { Meters } from './meters.ts';

/** The most Tenants that have their own series: those whose oldest order is oldest. */
const tenantsShown = 20;

/** The name of who takes the orders: a built-in adapter, one's own module, or the sandbox's own bank. */
const bankOf = ({ adapters, rails }: Pick<Config, 'adapters' | 'rails'>): string =>
  adapters.find(({ ports }) => ports.includes('bank'))?.name ??
  (rails === null ? 'sandbox' : 'module');

/** Orders of a Tenant for one purpose that the bank has not answered. */
interface Waiting {
  readonly tenantId: string;
  readonly purpose: string;
  readonly count: number;
  /** The age of the oldest. */
  readonly seconds: number;
}

/** The Tenants that wait, and the purposes of their orders. */
export interface WaitingOrders {
  readonly purposes: readonly string[];
  readonly waiting: readonly Waiting[];
}

const oldestOf = (some: readonly Waiting[]): number =>
  Math.max(0, ...some.map(({ seconds }) => seconds));
const countOf = (some: readonly Waiting[]): number =>
  some.reduce((sum, { count }) => sum + count, 0);

type Shown = Pick<
  Meters,
  'bankOrderOldest' | 'bankOrdersUnanswered' | 'tenantOrderOldest' | 'tenantOrdersUnanswered'
>;

/** Shows who waits for the bank, by purpose and by Tenant; null: it is not known now. */
export function showWaitingOrders(
  meters: Shown,
  config: Pick<Config, 'adapters' | 'rails'>,
  orders: WaitingOrders | null,
): void {
  const { bankOrderOldest, bankOrdersUnanswered, tenantOrderOldest, tenantOrdersUnanswered } =
    meters;
  for (const gauge of [
    bankOrderOldest,
    bankOrdersUnanswered,
    tenantOrderOldest,
    tenantOrdersUnanswered,
  ])
    gauge.reset();
  if (orders === null) return;
  const { purposes, waiting } = orders;
  const provider = bankOf(config);
  for (const purpose of purposes) {
    const some = waiting.filter((one) => one.purpose === purpose);
    bankOrderOldest.set({ provider, purpose }, oldestOf(some));
    bankOrdersUnanswered.set({ provider, purpose }, countOf(some));
  }
  const byAge = [...waiting].sort((one, other) => other.seconds - one.seconds);
  const tenants = [...new Set(byAge.map(({ tenantId }) => tenantId))];
  for (const tenant of tenants.slice(0, tenantsShown)) {
    const some = byAge.filter(({ tenantId }) => tenantId === tenant);
    tenantOrderOldest.set({ provider, tenant }, oldestOf(some));
    tenantOrdersUnanswered.set({ provider, tenant }, countOf(some));
  }
}
