import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, apiBy } from '../../kit/api.ts';
import { caller, fetchToken } from '../../kit/http/http.ts';
import type { TestTenant } from '../../kit/server.ts';

/** Half of the life of an access token. */
const renewAfterMs = 30 * 60_000;
const pauseMs = 500;
const tries = 120;

/** A Tenant's server that works for hours. */
export interface LastingApi {
  readonly api: Api;
  /** The requests that met 503 and were sent again under their keys. */
  readonly counts: { repeats: number };
}

/** A Tenant's server as an SDK has it: it renews its access token, and sends again what met 503, under its key. */
export function openLastingApi(baseUrl: string, tenant: TestTenant): LastingApi {
  const counts = { repeats: 0 };
  let send = Promise.resolve(caller(baseUrl, tenant.token));
  let renewAtMs = performance.now() + renewAfterMs;

  function current() {
    if (performance.now() < renewAtMs) return send;
    renewAtMs = performance.now() + renewAfterMs;
    send = fetchToken(baseUrl, tenant).then((token) => caller(baseUrl, token));
    return send;
  }

  const api = apiBy(async (method, path, options) => {
    for (let tried = 1; ; tried += 1) {
      const reply = await (await current())(method, path, options);
      if (reply.status !== 503 || tried === tries) return reply;
      counts.repeats += 1;
      await sleep(pauseMs);
    }
  });
  return { api, counts };
}
