import type { TSchema } from 'typebox';
import { Settings } from '../core/settings.ts';
import { Attempt } from '../portal/attempts.ts';
import { Chaos } from '../portal/chaos.ts';
import { Clock } from '../portal/clock.ts';
import { Entry, LedgerProof } from '../portal/ledger.ts';
import { LifecycleTable } from '../portal/lifecycles.ts';
import { ApiRequest } from '../portal/requests.ts';
import { SandboxFacts } from '../portal/tenants.ts';
import { NewWebhookSecret, WebhookEndpoint, WebhookSecret } from '../portal/webhooks.ts';

/** The schemas that the portal's document names, besides the contract's. */
export const portalSchemas: Readonly<Record<string, TSchema>> = {
  WebhookEndpoint,
  WebhookSecret,
  NewWebhookSecret,
  Clock,
  Chaos,
  Attempt,
  ApiRequest,
  Entry,
  LedgerProof,
  LifecycleTable,
  Settings,
  SandboxFacts,
};
