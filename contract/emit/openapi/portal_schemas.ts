import type { TSchema } from 'typebox';
import { Settings } from '../../core/settings.ts';
import { Attempt } from '../../portal/attempts.ts';
import { Chaos } from '../../portal/chaos.ts';
import { Clock } from '../../portal/clock.ts';
import { Credential, NewCredential, RevokedTokens } from '../../portal/credentials.ts';
import { DisputeCase } from '../../portal/disputes.ts';
import { Entry, LedgerProof } from '../../portal/ledger.ts';
import { LifecycleTable } from '../../portal/lifecycles.ts';
import { CustomerDocument } from '../../portal/lists.ts';
import { ApiRequest } from '../../portal/requests.ts';
import {
  BankMessage,
  ClosingAccount,
  DocumentPublication,
  ReserveFunding,
  ReviewedRecord,
  ReviewItem,
  SuspenseItem,
} from '../../portal/review.ts';
import { SandboxFacts } from '../../portal/tenants.ts';
import { NewWebhookSecret, WebhookEndpoint, WebhookSecret } from '../../portal/webhooks.ts';
import { LegalText } from '../../resources/documents.ts';

/** The schemas that the portal's document names, besides those of the Tenant API. */
export const portalSchemas: Readonly<Record<string, TSchema>> = {
  WebhookEndpoint,
  WebhookSecret,
  NewWebhookSecret,
  Credential,
  NewCredential,
  RevokedTokens,
  Clock,
  Chaos,
  Attempt,
  ApiRequest,
  DisputeCase,
  LegalText,
  CustomerDocument,
  Entry,
  LedgerProof,
  ReviewItem,
  ClosingAccount,
  SuspenseItem,
  BankMessage,
  DocumentPublication,
  ReserveFunding,
  ReviewedRecord,
  LifecycleTable,
  Settings,
  SandboxFacts,
};
