import type { TSchema } from 'typebox';
import { Settings } from '../../core/settings.ts';
import { MadeAdjustment } from '../../portal/money/adjustments.ts';
import {
  BankStatement,
  SandboxBankStatement,
  StatementComparison,
} from '../../portal/money/bank_statements.ts';
import { FeeSweep, Reserve, WaitingFees } from '../../portal/money/own_accounts.ts';
import {
  MatchProposal,
  UnmatchedMoney,
  UnmatchedMoneyDetail,
} from '../../portal/money/suspense.ts';
import { AccessRecord } from '../../portal/operate/access_records.ts';
import { Alarm, AlarmCount } from '../../portal/operate/alarms.ts';
import { Approval, ApprovalEffect } from '../../portal/operate/approvals.ts';
import { AuditProof, AuditRow, SettingChange } from '../../portal/operate/audit.ts';
import {
  CaseAssignment,
  CaseFile,
  CaseNote,
  DeskCase,
  MovePreview,
} from '../../portal/operate/desk.ts';
import { BoardDispute } from '../../portal/operate/dispute_board.ts';
import { DisputeLetter } from '../../portal/operate/dispute_letters.ts';
import { DisputeCase } from '../../portal/operate/disputes.ts';
import { KeysStatus } from '../../portal/operate/keys.ts';
import { KeptProof, TenantProofs } from '../../portal/operate/ledger_proofs.ts';
import { Operations } from '../../portal/operate/operations.ts';
import { PlatformApproval } from '../../portal/operate/platform_approvals.ts';
import { QrKey } from '../../portal/operate/qr_keys.ts';
import {
  BankMessage,
  ClosingAccount,
  DocumentPublication,
  ReserveFunding,
  ReviewedRecord,
  ReviewItem,
  SuspenseItem,
} from '../../portal/operate/review.ts';
import { TenantDetail, TenantFigures } from '../../portal/operate/tenant_figures.ts';
import { NewTenant, TenantState } from '../../portal/operate/tenants.ts';
import { ApiKey, NewApiKey } from '../../portal/people/api_keys.ts';
import { BegunDeviceSignIn, DeviceSignIn } from '../../portal/people/device.ts';
import {
  AcceptedInvitation,
  Invitation,
  NewInvitation,
  OpenInvitation,
} from '../../portal/people/invitations.ts';
import { Member } from '../../portal/people/members.ts';
import { OwnPasskey, OwnSession, RecoveryCodes } from '../../portal/people/my.ts';
import { CurrentSession, EndedSessions, Scope, Visit } from '../../portal/people/session.ts';
import { IdentityProvider, SignInAddress } from '../../portal/people/single_sign_on.ts';
import { SupportConsent } from '../../portal/people/support.ts';
import { DocumentInForce } from '../../portal/records/document_versions.ts';
import { Entry, LedgerProof, ProofMessage } from '../../portal/records/ledger.ts';
import { LifecycleTable } from '../../portal/records/lifecycles.ts';
import { CustomerDocument } from '../../portal/records/lists.ts';
import { ReconciliationDay } from '../../portal/records/reconciliation.ts';
import { RecordPage, SearchHit } from '../../portal/records/records.ts';
import { PossibleMove, SimulatedMove } from '../../portal/records/simulations.ts';
import { Chaos } from '../../portal/sandbox/chaos.ts';
import { Clock, ClockJump, Upcoming } from '../../portal/sandbox/clock.ts';
import { Magic, NewSandboxTenant, SandboxReset } from '../../portal/sandbox/sandbox.ts';
import { Credential, NewCredential, RevokedTokens } from '../../portal/settings/credentials.ts';
import { Logo } from '../../portal/settings/logos.ts';
import { Attempt } from '../../portal/traffic/attempts.ts';
import { DeliveryCounts, Recovery, TestDelivery } from '../../portal/traffic/deliveries.ts';
import { EventTypePage, EventTypeRow } from '../../portal/traffic/event_types.ts';
import { PortalEvent } from '../../portal/traffic/events.ts';
import { Overview } from '../../portal/traffic/overview.ts';
import { ApiRequest } from '../../portal/traffic/requests.ts';
import { StreamMessage } from '../../portal/traffic/stream.ts';
import { NewWebhookSecret, WebhookEndpoint, WebhookSecret } from '../../portal/traffic/webhooks.ts';
import { LegalText } from '../../resources/documents.ts';

/** The schemas that the portal's document names, besides those of the Tenant API. */
export const portalSchemas: Readonly<Record<string, TSchema>> = {
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
  WebhookSecret,
  NewWebhookSecret,
  Credential,
  NewCredential,
  RevokedTokens,
  Clock,
  Upcoming,
  ClockJump,
  Chaos,
  Magic,
  NewSandboxTenant,
  SandboxReset,
  Attempt,
  PortalEvent,
  Overview,
  StreamMessage,
  RecordPage,
  PossibleMove,
  SimulatedMove,
  SearchHit,
  Recovery,
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
  Entry,
  LedgerProof,
  ProofMessage,
  KeptProof,
  TenantProofs,
  Operations,
  Alarm,
  AlarmCount,
  KeysStatus,
  ReconciliationDay,
  ReviewItem,
  ClosingAccount,
  SuspenseItem,
  BankMessage,
  DocumentPublication,
  ReserveFunding,
  ReviewedRecord,
  DeskCase,
  CaseFile,
  CaseAssignment,
  CaseNote,
  MovePreview,
  UnmatchedMoney,
  UnmatchedMoneyDetail,
  MatchProposal,
  Reserve,
  FeeSweep,
  WaitingFees,
  MadeAdjustment,
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
  AccessRecord,
  AuditRow,
  AuditProof,
  NewTenant,
  TenantState,
  TenantFigures,
  TenantDetail,
  QrKey,
};
