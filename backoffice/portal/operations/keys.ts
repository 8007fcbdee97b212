import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { readKeysStatus } from '@tenant-payments/service/keys/status.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { KeysStatus } from '../../contract/operate/keys.ts';

/** Milliseconds for which one count serves: it reads the whole database. */
const freshMs = 60_000;

/** GET /portal/api/keys (rules/keys#10): those who ask at once share one count. */
export function openKeysStatus(service: Service) {
  const { db, config, clocks, peers } = service;
  let held: Promise<KeysStatus> | null = null;
  let untilMs = 0;

  async function count(): Promise<KeysStatus> {
    const others = peers
      .all()
      .filter((cell) => cell !== service)
      .map((cell) => cell.db);
    const { rings, reseal } = await readKeysStatus(db, config, others);
    const at = instantOf(clocks.realNow());
    return {
      object: 'keys_status',
      at,
      reseal,
      rings: rings.map(({ keys, missing, ...ring }) => {
        return { ...ring, keys: [...keys], missing: [...missing] };
      }),
    };
  }

  return (): Promise<KeysStatus> => {
    const nowMs = performance.now();
    if (held !== null && nowMs < untilMs) return held;
    untilMs = nowMs + freshMs;
    held = count();
    held.catch(() => {
      held = null;
    });
    return held;
  };
}
