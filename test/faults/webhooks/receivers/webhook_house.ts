import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Dispatcher,
  type DispatcherOptions,
  openDispatcher,
} from '../../../../service/webhooks/dispatch/dispatcher.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type TestTenant,
} from '../../../kit/server.ts';

/** A service whose tenants have receivers of a test's making, and dispatchers that a test starts. */
export interface WebhookHouse {
  readonly test: TestServer;
  dispatch(options?: DispatcherOptions): Dispatcher;
  /** As that tenant. @throws when it is refused */
  call(tenant: TestTenant, method: string, path: string, body?: object): Promise<ReplyBody>;
  setEndpoint(tenant: TestTenant, url: string, enabled?: boolean): Promise<void>;
  /** A tenant whose events go to `url`. */
  tenantAt(url: string): Promise<TestTenant>;
  /** A customer, and so one event. @returns the event's id */
  makeEvent(tenant: TestTenant): Promise<string>;
  /** The event as it is listed, with its delivery. */
  shown(tenant: TestTenant, eventId: string): Promise<ReplyBody>;
  /** The event once its delivery is so. @throws after 20 s */
  until(
    tenant: TestTenant,
    eventId: string,
    isSo: (delivery: ReplyBody) => boolean,
  ): Promise<ReplyBody>;
  attempts(tenant: TestTenant, eventId: string): Promise<ReplyBody[]>;
  /** Ends the dispatchers, once the receivers that hang are closed. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

const waitsMs = 20_000;

export async function openWebhookHouse(options: TestServerOptions = {}): Promise<WebhookHouse> {
  const test = await startTestServer({ workers: false, ...options });
  const dispatchers: Dispatcher[] = [];
  let customers = 0;

  const call: WebhookHouse['call'] = async (tenant, method, path, body) => {
    const reply = await test.call(method, path, { token: tenant.token, ...(body ? { body } : {}) });
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };

  const setEndpoint: WebhookHouse['setEndpoint'] = (tenant, url, enabled = true) =>
    call(tenant, 'PUT', '/portal/api/webhook-endpoint', { url, enabled });

  async function shown(tenant: TestTenant, eventId: string): Promise<ReplyBody> {
    const { data } = await call(tenant, 'GET', '/v1/webhook-events?limit=100');
    return data.find(({ id }: { id: string }) => id === eventId);
  }

  async function drain(): Promise<void> {
    await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.drain()));
  }

  return {
    test,
    call,
    setEndpoint,
    shown,
    dispatch(more = {}) {
      const dispatcher = openDispatcher(test.service, { pollMs: 20, ...more });
      dispatchers.push(dispatcher);
      dispatcher.start();
      return dispatcher;
    },
    async tenantAt(url) {
      const tenant = await test.anotherTenant();
      await setEndpoint(tenant, url);
      return tenant;
    },
    async makeEvent(tenant) {
      customers += 1;
      const external_ref = `ref-${customers}`;
      const { status, body } = await test.call('POST', '/v1/customers', {
        token: tenant.token,
        key: external_ref,
        body: {
          type: 'individual',
          external_ref,
          email: 'ana@example.com',
          mobile_number: `+1202${5_550_100 + customers}`,
        },
      });
      if (status !== 201) throw new Error(`no customer: ${JSON.stringify(body)}`);
      const { rows } = await test.service.pool.query<{ id: string }>(
        `select body::json ->> 'id' as id from events
         where tenant_id = $1 and body::json #>> '{data,object,id}' = $2`,
        [tenant.tenantId, body.id],
      );
      return rows[0]?.id ?? '';
    },
    async until(tenant, eventId, isSo) {
      const deadline = performance.now() + waitsMs;
      for (;;) {
        const event = await shown(tenant, eventId);
        if (isSo(event.delivery)) return event;
        if (performance.now() > deadline)
          throw new Error(`the delivery stays ${JSON.stringify(event.delivery)}`);
        await sleep(10);
      }
    },
    attempts: async (tenant, eventId) =>
      (await call(tenant, 'GET', `/portal/api/events/${eventId}/attempts`)).data,
    drain,
    async stop() {
      await drain();
      await test.stop();
    },
  };
}
