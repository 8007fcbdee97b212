/** The Tenant's side of the service: everything that a Tenant's server imports. */
export type { RequestReport } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export {
  type AnyErrorCode,
  AuthenticationError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  isCode,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  TenantPaymentsError,
  TimeoutError,
  UnprocessableError,
} from './errors.ts';
export type { Event, EventOf, WebhookEvent } from './events.ts';
export type { ErrorCode, EventType, SimulateName } from './generated/names.ts';
export type * from './generated/params.ts';
export type * from './generated/records.ts';
export type { Resources } from './generated/resources.ts';
export type {
  EventHandlers,
  Handlers,
  ReceivedEvent,
  RecordHandlers,
  RecordName,
} from './handlers.ts';
export type { RawBody } from './hmac.ts';
export type { Open } from './open.ts';
export type { Call, ListCall } from './pages.ts';
export { proxiedFetch } from './proxy.ts';
export {
  type Answer,
  createReceiver,
  type Receiver,
  type ReceiverOptions,
} from './receiver.ts';
export {
  checkEvent,
  type EventMark,
  type EventResult,
  memoryStore,
  type ReceiverStore,
} from './receiver_store.ts';
export type { RateLimit, Reply, ReplyFacts } from './reply.ts';
export type { RawRequest, RequestOptions, WriteOptions } from './request.ts';
export {
  type HeaderBag,
  type VerifyOptions,
  type WebhookFault,
  type Webhooks,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
