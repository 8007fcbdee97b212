import { type Chaos as ChaosSetting, defaultSeed } from '@tenant-payments/contract/portal/chaos.ts';
import { unavailable } from '../../core/fail.ts';
import type { Chaos } from '../../sandbox_tools.ts';
import type { Service } from '../../service.ts';
import type { DeliveryFault } from '../../webhooks/dispatch/delivery_fault.ts';
import { faultOf, strikes } from './draw.ts';
import { openChaosStore } from './store.ts';

/** How long the settings of all tenants are cached (rules/sandbox#34). */
const cachedMs = 1_000;
/** Far more than the events that wait for their first two attempts at a time. */
const defaultStride = 10_000;

const none: ChaosSetting = {
  duplicate: 0,
  out_of_order: 0,
  fail_first_attempt: 0,
  api_503: 0,
  seed: defaultSeed,
};

const strikesDeliveries = ({ duplicate, out_of_order, fail_first_attempt }: ChaosSetting) =>
  duplicate + out_of_order + fail_first_attempt > 0;

const noFaults: ReadonlyMap<string, DeliveryFault> = new Map();

/**
 * The sandbox's chaos. One query a second reads the settings that strike anything, of all tenants;
 * tenants without one cost nothing more.
 */
export function openChaos({ pool }: Pick<Service, 'pool'>, { stride = defaultStride } = {}): Chaos {
  const store = openChaosStore(pool, stride);
  let cached: { readonly settings: ReturnType<typeof store.settings>; readonly untilMs: number };
  cached = { settings: Promise.resolve(new Map()), untilMs: Number.NEGATIVE_INFINITY };

  function settings(): ReturnType<typeof store.settings> {
    const nowMs = performance.now();
    if (nowMs < cached.untilMs) return cached.settings;
    const read = { settings: store.settings(), untilMs: nowMs + cachedMs };
    cached = read;
    read.settings.catch(() => {
      // A failed query is not cached.
      if (cached === read) cached = { ...read, untilMs: Number.NEGATIVE_INFINITY };
    });
    return read.settings;
  }

  return {
    get: async (tenantId) => (await store.of(tenantId)) ?? none,

    async put(tenantId, setting, at) {
      const now = await store.put(tenantId, setting, at);
      cached = { ...cached, untilMs: Number.NEGATIVE_INFINITY };
      return now;
    },

    async strikeCall(tenantId) {
      if (!(await settings()).get(tenantId)?.api_503) return;
      const call = await store.countCall(tenantId);
      if (call && strikes(call.setting, 'api_503', call.ordinal))
        throw unavailable('chaos: this call was not carried out');
    },

    async faultsOf(events) {
      const all = await settings();
      const struck = events.filter(({ tenantId }) => {
        const setting = all.get(tenantId);
        return setting !== undefined && strikesDeliveries(setting);
      });
      if (struck.length === 0) return noFaults;
      const numbered = await store.number(struck);
      return new Map(
        numbered.map(({ eventId, setting, ordinal, version }) => [
          eventId,
          faultOf(setting, ordinal, version),
        ]),
      );
    },
  };
}
