import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { createCustomer } from '../../../service/resources/customers/create.ts';
import {
  type Dispatcher,
  type DispatcherOptions,
  openDispatcher,
} from '../../../service/webhooks/dispatch/dispatcher.ts';
import type { Api } from '../../kit/api.ts';
import { openEngine } from '../../kit/engine.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import { application } from '../../kit/person.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type TestTenant,
} from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

/** A Tenant whose events a test looks after. */
export interface Subscriber {
  readonly tenant: TestTenant;
  readonly api: Api;
  setEndpoint(url: string, enabled?: boolean): Promise<ReplyBody>;
  /** Makes a customer, and so one event. @returns the event's id */
  makeEvent(): Promise<string>;
  /** The delivery of an event; undefined: the event is not listed. */
  delivery(eventId: string): Promise<ReplyBody>;
  /** The delivery once it has these fields. @throws after 20 s */
  until(eventId: string, fields: object): Promise<ReplyBody>;
  attempts(eventId: string): Promise<ReplyBody[]>;
}

export function subscriberOf(server: TestServer, tenant: TestTenant): Subscriber {
  const api = server.apiOf(tenant);
  const engine = openEngine(server.service, tenant.tenantId);
  async function delivery(eventId: string): Promise<ReplyBody> {
    const { data } = await api.get('/v1/webhook-events?limit=100');
    return data.find(({ id }: ReplyBody) => id === eventId)?.delivery;
  }
  return {
    tenant,
    api,
    delivery,
    setEndpoint: (url, enabled = true) => api.put('/portal/api/webhook-endpoint', { url, enabled }),
    async makeEvent() {
      const body = application('individual');
      const { id } = await engine.run(createCustomer(server.service.vault), body);
      const [event] = await engine.query(
        'select id from events where tenant_id = $1 and object_id = $2',
        uuid('customer', id),
      );
      return publicId('event', event.id);
    },
    async until(eventId, fields) {
      let last: ReplyBody;
      const isSo = async () => {
        last = await delivery(eventId);
        return Object.entries(fields).every(([name, value]) => last[name] === value);
      };
      await until(isSo, { withinMs: 20_000 }).catch(() => {
        throw new Error(`the delivery stays ${JSON.stringify(last)}`);
      });
      return last;
    },
    attempts: async (eventId) => (await api.get(`/portal/api/events/${eventId}/attempts`)).data,
  };
}

/** A service without workers, and dispatchers that a test starts. */
export interface Deliveries {
  readonly server: TestServer;
  dispatch(options?: DispatcherOptions): void;
  /** A new Tenant; its events go to `url`, if there is one. */
  subscriber(url?: string): Promise<Subscriber>;
  /** Ends the dispatchers, once the receivers that hang are closed. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export async function openDeliveries(options: TestServerOptions = {}): Promise<Deliveries> {
  const server = await startTestServer({ workers: false, ...options });
  const dispatchers: Dispatcher[] = [];
  async function drain(): Promise<void> {
    await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.drain()));
  }
  return {
    server,
    drain,
    dispatch(more = {}) {
      const dispatcher = openDispatcher(server.service, { pollMs: 20, ...more });
      dispatchers.push(dispatcher);
      dispatcher.start();
    },
    async subscriber(url) {
      const made = subscriberOf(server, await server.anotherTenant());
      if (url !== undefined) await made.setEndpoint(url);
      return made;
    },
    async stop() {
      await drain();
      await server.stop();
    },
  };
}
