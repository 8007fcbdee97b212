/** The Tenant's side of the service: everything that a Tenant's server imports. */
export type { RequestReport } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export {
  type AnyErrorCode,
  type ClientErrorCode,
  ConnectionError,
  isCode,
  TenantPaymentsError,
  TimeoutError,
} from './errors.ts';
export type { Event, EventOf, ListedEvent } from './events.ts';
export { type Answer, createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';
export {
  checkEvent,
  type EventMark,
  type EventResult,
  memoryStore,
  type ReceiverStore,
} from './receiver_store.ts';
export type { RateLimit, Reply, ReplyFacts } from './reply.ts';
export type { CallOptions } from './request.ts';
export {
  type HeaderBag,
  type UnwrapOptions,
  type WebhookFault,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
