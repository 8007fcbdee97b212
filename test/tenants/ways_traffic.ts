import type { Base } from '../contract/cases/bases.ts';
import type { TenantRecords } from './records.ts';

/** How a Tenant names its own events, secrets and records in what goes out to it. */

interface Way {
  readonly name: string;
  readonly make: (own: TenantRecords) => Base;
}

const way = (name: string, make: Way['make']): Way => ({ name, make });

export const trafficWays: Readonly<Record<string, readonly Way[]>> = {
  createSampleEvent: [
    way('of a payment', ({ targets }) => ({
      body: { type: 'payment.created', object_id: targets.payment },
    })),
    way('of a customer', ({ payer }) => ({
      body: { type: 'customer.created', object_id: payer.customerId },
    })),
  ],
  listEvents: [
    way('base', () => ({ query: { limit: '1' } })),
    way('of a payment', ({ targets }) => ({ query: { object_id: targets.payment, limit: '1' } })),
    way('of an endpoint', (own) => ({ query: { endpoint_id: own.furtherId, limit: '1' } })),
  ],
  resendEvent: [
    way('base', ({ eventId }) => ({ params: { id: eventId } })),
    way('of an endpoint', (own) => ({
      params: { id: own.eventId },
      body: { endpoint_id: own.furtherId },
    })),
  ],
  getEventType: [way('base', () => ({ params: { type: 'payment.created' } }))],
  testWebhookEndpoint: [
    way('of a payment', ({ targets }) => ({
      body: { type: 'payment.created', object_id: targets.payment },
    })),
    way('of an endpoint', (own) => ({ body: { endpoint_id: own.furtherId } })),
    way('by one secret', (own) => ({ body: { secret_id: own.webhookSecretId } })),
  ],
  changeFurtherEndpoint: [
    way('base', (own) => ({ params: { id: own.furtherId }, body: { enabled: false } })),
  ],
  deleteFurtherEndpoint: [way('base', (own) => ({ params: { id: own.goneId } }))],
  listWebhookSecrets: [way('of an endpoint', (own) => ({ query: { endpoint_id: own.furtherId } }))],
  createWebhookSecret: [way('of an endpoint', (own) => ({ body: { endpoint_id: own.furtherId } }))],
  recoverEvents: [
    way('of an endpoint', (own) => ({
      body: { since: '2020-01-01T00:00:00Z', dry_run: true, endpoint_id: own.furtherId },
    })),
    way('of a payment', ({ targets }) => ({
      body: { since: '2020-01-01T00:00:00Z', dry_run: true, object_id: targets.payment },
    })),
    way('of an event', ({ unsentEvent: { id } }) => ({
      body: { since: '2020-01-01T00:00:00Z', dry_run: true, missed: 'never_sent', event_id: id },
    })),
    way('of a request', ({ unsentEvent: { request_id } }) => ({
      body: { since: '2020-01-01T00:00:00Z', dry_run: true, missed: 'never_sent', request_id },
    })),
  ],
  countDeliveries: [
    way('of an endpoint', (own) => ({ query: { endpoint_id: own.furtherId } })),
    way('of a payment', ({ targets }) => ({ query: { object_id: targets.payment } })),
    way('of an event', ({ eventId }) => ({ query: { event_id: eventId } })),
    way('of a request', ({ unsentEvent }) => ({ query: { request_id: unsentEvent.request_id } })),
  ],
  listEventAttempts: [
    way('base', ({ eventId }) => ({ params: { id: eventId } })),
    way('of an endpoint', (own) => ({
      params: { id: own.eventId },
      query: { endpoint_id: own.furtherId },
    })),
  ],
};
