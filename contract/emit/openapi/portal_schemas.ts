import { MadeAdjustment } from '@tenant-payments/backoffice/contract/money/adjustments.ts';
import {
  BankStatement,
  SandboxBankStatement,
  StatementComparison,
} from '@tenant-payments/backoffice/contract/money/bank_statements.ts';
import {
  FeeSweep,
  Reserve,
  WaitingFees,
} from '@tenant-payments/backoffice/contract/money/own_accounts.ts';
import {
  RailMessage,
  RailMessageDetail,
} from '@tenant-payments/backoffice/contract/money/rail_messages.ts';
import { RequestVolumes } from '@tenant-payments/backoffice/contract/money/request_volumes.ts';
import {
  MatchProposal,
  UnmatchedMoney,
  UnmatchedMoneyDetail,
} from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { AccessRecord } from '@tenant-payments/backoffice/contract/operate/access_records.ts';
import { Alarm, AlarmCount } from '@tenant-payments/backoffice/contract/operate/alarms.ts';
import {
  Approval,
  ApprovalEffect,
} from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import {
  Attention,
  DeskSummary,
  PlatformAttention,
} from '@tenant-payments/backoffice/contract/operate/attention.ts';
import {
  AuditPerson,
  AuditProof,
  AuditRow,
  SettingChange,
} from '@tenant-payments/backoffice/contract/operate/audit.ts';
import { CustomerCase } from '@tenant-payments/backoffice/contract/operate/customer_cases.ts';
import {
  CaseAssignment,
  CaseFile,
  CaseNote,
  DeskCase,
  MovePreview,
} from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { BoardDispute } from '@tenant-payments/backoffice/contract/operate/dispute_board.ts';
import { DisputeLetter } from '@tenant-payments/backoffice/contract/operate/dispute_letters.ts';
import {
  IdentityRecord,
  OpenedIdentity,
  OpenedIdentityDocument,
} from '@tenant-payments/backoffice/contract/operate/identity.ts';
import { KeysStatus } from '@tenant-payments/backoffice/contract/operate/keys.ts';
import { TenantProofs } from '@tenant-payments/backoffice/contract/operate/ledger_proofs.ts';
import { Operations } from '@tenant-payments/backoffice/contract/operate/operations.ts';
import { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { QrKey } from '@tenant-payments/backoffice/contract/operate/qr_keys.ts';
import {
  ClosingAccount,
  DocumentPublication,
  ReserveFunding,
  ReviewedRecord,
  ReviewItem,
} from '@tenant-payments/backoffice/contract/operate/review.ts';
import {
  TenantDetail,
  TenantFigures,
} from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import { NewTenant, TenantState } from '@tenant-payments/backoffice/contract/operate/tenants.ts';
import { ApiKey, NewApiKey } from '@tenant-payments/backoffice/contract/people/api_keys.ts';
import {
  BegunDeviceSignIn,
  DeviceSignIn,
} from '@tenant-payments/backoffice/contract/people/device.ts';
import {
  AcceptedInvitation,
  Invitation,
  NewInvitation,
  OpenInvitation,
} from '@tenant-payments/backoffice/contract/people/invitations.ts';
import { Member } from '@tenant-payments/backoffice/contract/people/members.ts';
import {
  OwnPasskey,
  OwnSession,
  RecoveryCodes,
} from '@tenant-payments/backoffice/contract/people/my.ts';
import {
  CurrentSession,
  EndedSessions,
  Scope,
  Visit,
} from '@tenant-payments/backoffice/contract/people/session.ts';
import {
  IdentityProvider,
  SignInAddress,
} from '@tenant-payments/backoffice/contract/people/single_sign_on.ts';
import { SupportConsent } from '@tenant-payments/backoffice/contract/people/support.ts';
import { Face } from '@tenant-payments/backoffice/contract/records/faces.ts';
import { Entry, ProofMessage } from '@tenant-payments/backoffice/contract/records/ledger.ts';
import { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import { CustomerDocument } from '@tenant-payments/backoffice/contract/records/lists.ts';
import {
  CustomerMessage,
  NoticeWords,
} from '@tenant-payments/backoffice/contract/records/messages.ts';
import { ReconciliationDay } from '@tenant-payments/backoffice/contract/records/reconciliation.ts';
import { RecordPage } from '@tenant-payments/backoffice/contract/records/records.ts';
import { SearchHit, TenantHit } from '@tenant-payments/backoffice/contract/records/search.ts';
import {
  PossibleMove,
  SimulatedMove,
} from '@tenant-payments/backoffice/contract/records/simulations.ts';
import { Clock, ClockJump, Upcoming } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { ProductionRules } from '@tenant-payments/backoffice/contract/sandbox/production_rules.ts';
import {
  NewSandboxTenant,
  SandboxReset,
  SignInLink,
  TemporaryClient,
} from '@tenant-payments/backoffice/contract/sandbox/sandbox.ts';
import {
  ConsumerTerms,
  TermChange,
} from '@tenant-payments/backoffice/contract/settings/consumer_terms.ts';
import { Attempt } from '@tenant-payments/backoffice/contract/traffic/attempts.ts';
import {
  DeliveryCounts,
  TestDelivery,
} from '@tenant-payments/backoffice/contract/traffic/deliveries.ts';
import {
  EventTypePage,
  EventTypeRow,
} from '@tenant-payments/backoffice/contract/traffic/event_types.ts';
import { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import {
  FurtherEndpoint,
  NewFurtherEndpoint,
} from '@tenant-payments/backoffice/contract/traffic/further_endpoints.ts';
import { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { ApiRequest } from '@tenant-payments/backoffice/contract/traffic/requests.ts';
import { StreamMessage } from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import {
  NewWebhookSecret,
  WebhookSecret,
} from '@tenant-payments/backoffice/contract/traffic/webhooks.ts';
import type { TSchema } from 'typebox';
import { Settings } from '../../core/settings.ts';
import { BankMessage } from '../../resources/bank_messages.ts';
import { Credential, NewCredential, RevokedTokens } from '../../resources/credentials.ts';
import { DisputeCase } from '../../resources/dispute_cases.ts';
import { LegalText } from '../../resources/documents.ts';
import { DocumentInForce } from '../../resources/documents_in_force.ts';
import { KeptProof, LedgerProof } from '../../resources/ledger_proofs.ts';
import { Logo } from '../../resources/logos.ts';
import { Notice } from '../../resources/notices.ts';
import { OwnBankAccount } from '../../resources/own_bank_accounts.ts';
import { SuspenseItem } from '../../resources/suspense.ts';
import { WebhookEndpoint } from '../../resources/webhook_endpoints.ts';
import { Chaos } from '../../sandbox/chaos.ts';
import { Magic } from '../../sandbox/magic.ts';

/** The schemas that the portal's document names, besides those of the Tenant API. */
export const portalSchemas = {
  ApiKey,
  NewApiKey,
  BegunDeviceSignIn,
  DeviceSignIn,
  CurrentSession,
  Visit,
  SupportConsent,
  Scope,
  EndedSessions,
  OwnSession,
  OwnPasskey,
  RecoveryCodes,
  Member,
  Invitation,
  NewInvitation,
  OpenInvitation,
  AcceptedInvitation,
  IdentityProvider,
  SignInAddress,
  WebhookEndpoint,
  FurtherEndpoint,
  NewFurtherEndpoint,
  WebhookSecret,
  NewWebhookSecret,
  Credential,
  NewCredential,
  RevokedTokens,
  Clock,
  Upcoming,
  ClockJump,
  Chaos,
  ProductionRules,
  Magic,
  NewSandboxTenant,
  SignInLink,
  TemporaryClient,
  SandboxReset,
  Attempt,
  PortalEvent,
  Overview,
  StreamMessage,
  RecordPage,
  PossibleMove,
  SimulatedMove,
  SearchHit,
  TenantHit,
  Face,
  TestDelivery,
  DeliveryCounts,
  EventTypeRow,
  EventTypePage,
  ApiRequest,
  BoardDispute,
  DisputeCase,
  DisputeLetter,
  LegalText,
  DocumentInForce,
  CustomerDocument,
  CustomerMessage,
  NoticeWords,
  Entry,
  LedgerProof,
  ProofMessage,
  KeptProof,
  TenantProofs,
  Operations,
  Attention,
  PlatformAttention,
  DeskSummary,
  CustomerCase,
  Alarm,
  AlarmCount,
  KeysStatus,
  ReconciliationDay,
  ReviewItem,
  ClosingAccount,
  SuspenseItem,
  BankMessage,
  Notice,
  DocumentPublication,
  ReserveFunding,
  ReviewedRecord,
  IdentityRecord,
  OpenedIdentity,
  OpenedIdentityDocument,
  DeskCase,
  CaseFile,
  CaseAssignment,
  CaseNote,
  MovePreview,
  UnmatchedMoney,
  UnmatchedMoneyDetail,
  MatchProposal,
  RailMessage,
  RailMessageDetail,
  Reserve,
  FeeSweep,
  WaitingFees,
  MadeAdjustment,
  OwnBankAccount,
  RequestVolumes,
  BankStatement,
  StatementComparison,
  SandboxBankStatement,
  Approval,
  PlatformApproval,
  ApprovalEffect,
  LifecycleTable,
  Settings,
  Logo,
  SettingChange,
  ConsumerTerms,
  TermChange,
  AccessRecord,
  AuditPerson,
  AuditRow,
  AuditProof,
  NewTenant,
  TenantState,
  TenantFigures,
  TenantDetail,
  QrKey,
} satisfies Readonly<Record<string, TSchema>>;
