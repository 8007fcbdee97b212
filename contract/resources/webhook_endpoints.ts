import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '../core/schema.ts';

export const WebhookEndpoint = Closed({
  url: Nullable(Type.String({ description: 'Address of the endpoint; null before one is set' })),
  enabled: Type.Boolean(),
});

export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
