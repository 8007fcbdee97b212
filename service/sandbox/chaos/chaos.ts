import {
  type Chaos as ChaosSetting,
  defaultSeed,
} from '@tenant-payments/contract/sandbox/chaos.ts';
import { unavailable } from '@tenant-payments/engine/fail.ts';
import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Chaos } from '../../sandbox_tools.ts';
import type { Service } from '../../service.ts';
import type { DeliveryFault } from '../../webhooks/dispatch/delivery_fault.ts';
import { faultOf, strikes } from './draw.ts';
import { putChaos } from './put.ts';
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
  ends_at: null,
};

const strikesDeliveries = ({ duplicate, out_of_order, fail_first_attempt }: ChaosSetting) =>
  duplicate + out_of_order + fail_first_attempt > 0;

/** One that has ended strikes nothing; when it ended, and its seed, can still be read. */
const inForce = (setting: ChaosSetting, nowMs: number): ChaosSetting =>
  setting.ends_at === null || epochMs(setting.ends_at) > nowMs
    ? setting
    : { ...none, seed: setting.seed, ends_at: setting.ends_at };

const noFaults: ReadonlyMap<string, DeliveryFault> = new Map();

/**
 * The sandbox's chaos. One query a second reads the settings that strike anything, of all tenants;
 * tenants without one cost nothing more.
 */
export function openChaos(
  { pool, clocks }: Pick<Service, 'pool' | 'clocks'>,
  { stride = defaultStride } = {},
): Chaos {
  const store = openChaosStore(pool, stride);
  let cached: { readonly settings: ReturnType<typeof store.settings>; readonly untilMs: number };
  cached = { settings: Promise.resolve(new Map()), untilMs: Number.NEGATIVE_INFINITY };

  function settings(): ReturnType<typeof store.settings> {
    const nowMs = performance.now();
    if (nowMs < cached.untilMs) return cached.settings;
    const asked = store.settings(instantOf(clocks.realNow()));
    const read = { settings: asked, untilMs: nowMs + cachedMs };
    cached = read;
    read.settings.catch(() => {
      // A failed query is not cached.
      if (cached === read) cached = { ...read, untilMs: Number.NEGATIVE_INFINITY };
    });
    return read.settings;
  }

  return {
    get: async (db, tenantId) => inForce((await store.of(db, tenantId)) ?? none, clocks.realNow()),

    put: putChaos({ clocks }),

    forget() {
      cached = { ...cached, untilMs: Number.NEGATIVE_INFINITY };
    },

    async strikeCall(tenantId) {
      if (!(await settings()).get(tenantId)?.api_503) return;
      const call = await store.countCall(tenantId);
      if (call && strikes(inForce(call.setting, clocks.realNow()), 'api_503', call.ordinal))
        throw unavailable('chaos: this call was not carried out', 1, 'chaos');
    },

    async faultsOf(events) {
      const all = await settings();
      const struck = events.filter(({ tenantId }) => {
        const setting = all.get(tenantId);
        return setting !== undefined && strikesDeliveries(setting);
      });
      if (struck.length === 0) return noFaults;
      const numbered = await store.number(struck);
      const nowMs = clocks.realNow();
      return new Map(
        numbered.map(({ eventId, setting, ordinal, version }) => [
          eventId,
          faultOf(inForce(setting, nowMs), ordinal, version),
        ]),
      );
    },
  };
}
