import { Cents } from '@tenant-payments/contract/core/money.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { AskedSettings } from '../settings/settings.ts';
import { signature } from './consents.ts';
import { reviewMoves, reviewRecord } from './review.ts';

/**
 * The moves that can be asked for of a Tenant, by resource: those of a reviewer, and other acts.
 */
const askedMoves = {
  ...reviewMoves,
  settings: ['change'],
  'ledger-proofs': ['acknowledge', 'take_back'],
  'own-bank-accounts': ['put_in_force'],
} as const;
/** The acts on the platform that can be asked for. */
export const platformMoves = {
  tenants: ['suspend'],
  'qr-keys': ['revoke'],
  staff: ['invite', 'change', 'remove'],
  'single-sign-on': ['set', 'remove'],
  restores: ['end', 'settle'],
} as const;
type Moves = typeof askedMoves & typeof platformMoves;

/** An act of the portal, named by its resource and move. */
type ActName = { readonly [R in keyof Moves]: `${R}.${Moves[R][number]}` }[keyof Moves];

/**
 * The roles that ask for an act and approve it. Whether two are needed is said by the act's effect
 * (rules/approvals#2).
 */
export interface ApprovalAct {
  /** The least roles of maker and approver. */
  readonly may: readonly Role[];
  /** How the audit names it; absent: `review.<resource>.<move>`. */
  readonly audited?: string;
}

/** The acts that admins alone ask for, or that the audit names otherwise. */
const ofAdmins: Readonly<Partial<Record<ActName, ApprovalAct>>> = {
  'documents.publish': { may: ['admin'] },
  'settings.change': { may: ['admin'], audited: 'putSettings' },
  'ledger-proofs.acknowledge': { may: ['admin'], audited: 'acknowledgeViolations' },
  'ledger-proofs.take_back': { may: ['admin'], audited: 'takeBackAcknowledgement' },
  'own-bank-accounts.put_in_force': { may: ['admin'], audited: 'putBankAccountInForce' },
  'qr-keys.revoke': { may: ['admin'], audited: 'revokeQrKey' },
  'tenants.suspend': { may: ['admin'], audited: 'suspendTenant' },
  'staff.invite': { may: ['admin'], audited: 'createStaffInvitation' },
  'staff.change': { may: ['admin'], audited: 'putStaff' },
  'staff.remove': { may: ['admin'], audited: 'removeStaff' },
  'single-sign-on.set': { may: ['admin'], audited: 'putSingleSignOn' },
  'single-sign-on.remove': { may: ['admin'], audited: 'removeSingleSignOn' },
  'restores.end': { may: ['admin'], audited: 'endRestore' },
  'restores.settle': { may: ['admin'], audited: 'settleRestoredOrder' },
};

/** Every act that can be asked for, by resource and move. */
export const approvalActs: Readonly<Record<string, ApprovalAct>> = Object.fromEntries(
  Object.entries({ ...askedMoves, ...platformMoves }).flatMap(([resource, moves]) =>
    moves.map((move) => {
      const name = `${resource}.${move}`;
      return [name, ofAdmins[name as ActName] ?? { may: ['reviewer'] as const }];
    }),
  ),
);

/** The moves that can have such an effect, for pages that offer them. The effect itself decides. */
export const seldomAlone = [
  'accounts.adjust',
  'accounts.release_hold',
  'bank-messages.book',
  'customers.erase',
  'customers.open_identity',
  'owners.open_identity',
  'disputes.classify',
  'disputes.credit',
  'disputes.resolve_approved',
  'disputes.resolve_denied',
  'disputes.resolve_partial',
  'disputes.resolve_withdrawn',
  'documents.publish',
  'linked-accounts.release_hold',
  'reserve.fund',
  'suspense.match',
  'suspense.return',
] as const satisfies readonly ActName[];

/** Above so many times its value of seven days ago one person raises no limit. */
export const settingTimes = 2;
/** The cents up to which one person refuses a customer; the record names the amount. */
export const refusedAlone = 2_500_00;
/** The cents up to which one person credits or awards a consumer; the record names the amount. */
export const awardedAlone = 500_00;
/** The cap in cents: so much changes hands by staff, for each Tenant and day, without a further admin. */
export const approvalCap = 10_000_00;
/** An approved act of more cents raises the alarm `large_approval`. */
export const largeApproval = 10 * approvalCap;
/** How long a request waits, in real time. */
export const approvalDays = 7;

export const approvalStatuses = ['waiting', 'approved', 'refused', 'lapsed'] as const;

const Value = Nullable(Type.Union([Type.String(), Type.Integer(), Type.Boolean()]));

export const ApprovalEffect = Closed({
  postings: Type.Array(
    Closed({
      from: Type.String({ description: 'A pocket as `acct_….available`, or `tenant.reserve`' }),
      to: Type.String(),
      amount: Cents,
    }),
  ),
  changes: Type.Array(
    Closed({
      object: Type.String({ description: 'Kind of the record' }),
      id: Id('The record'),
      field: Type.String(),
      before: Value,
      after: Value,
    }),
    { description: 'Statuses, amounts, times and switches; texts are left out' },
  ),
});
export type ApprovalEffect = Static<typeof ApprovalEffect>;

const { note: _, ...fields } = reviewRecord.body.properties;
/** The parameters of the act. */
const move = {
  ...fields,
  settings: Type.Optional(
    Type.Union([AskedSettings, Type.Null()], {
      description: 'For change of settings: each given key replaces the whole setting',
    }),
  ),
};
const act = {
  resource: IdInput(`One of ${Object.keys(askedMoves).join(', ')}`),
  move: IdInput('A move of the resource that needs a second person'),
};

export const Approval = Closed({
  id: Id('Identifier of the request'),
  object: Type.Literal('approval'),
  status: OneOf(approvalStatuses),
  ...act,
  record_id: Id('The record, as it was asked for'),
  body: Closed(move),
  note: Type.String({ description: "The maker's reason" }),
  amount: Nullable(Cents),
  maker: Type.String({ description: 'Who asks, by kind and id' }),
  first_approver: Nullable(
    Type.String({ description: 'The first of two admins, where the cap of the day is passed' }),
  ),
  decided_by: Nullable(Type.String({ description: 'Who approved or refused' })),
  decision_note: Nullable(Type.String()),
  created_at: Instant('When it was made'),
  lapses_at: Instant('In real time'),
  decided_at: Nullable(Instant('When it was approved or refused')),
  effect: Nullable(ApprovalEffect),
  changed: Type.Boolean({ description: 'It waits, but no longer does what its maker saw' }),
  obstacle: Nullable(
    Closed({ code: Type.String(), reason: Nullable(Type.String()) }, 'Why it cannot be done now'),
  ),
});
export type Approval = Static<typeof Approval>;

const one = Closed({ id: IdInput('The request') });
const decision = Closed({
  note: Type.Optional(Nullable(Readable(1_000, 'Reason; only staff see it'))),
});

export const listApprovals = portalEndpoint({
  id: 'listApprovals',
  method: 'GET',
  path: '/portal/api/approvals',
  summary: 'List the requests for a second person, newest first; those that wait with their effect',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  query: Closed({ status: Type.Optional(OneOf(approvalStatuses)), ...pageQuery }),
  success: { status: 200, schema: List(Approval) },
  errors: ['parameter_invalid'],
});

export const createApproval = portalEndpoint({
  id: 'createApproval',
  method: 'POST',
  path: '/portal/api/approvals',
  summary: 'Ask a second person to approve an act',
  idempotent: 'honored',
  may: ['reviewer'],
  of: 'tenant',
  stepUp: true,
  largestBody: reviewRecord.largestBody,
  body: Closed({
    ...move,
    ...act,
    id: IdInput('The record, as in the path of a review move; `settings` for the settings'),
    note: Readable(1_000, 'Reason; only staff see it'),
  }),
  success: { status: 201, schema: Approval },
  errors: reviewRecord.errors,
});

export const approveApproval = portalEndpoint({
  id: 'approveApproval',
  method: 'POST',
  path: '/portal/api/approvals/:id/approve',
  summary: 'Approve a request of somebody else; its act is done in the same transaction',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  stepUp: 'by_consent',
  params: one,
  body: Closed({ ...decision.properties, ...signature }),
  success: { status: 200, schema: Approval },
  errors: reviewRecord.errors,
});

export const refuseApproval = portalEndpoint({
  id: 'refuseApproval',
  method: 'POST',
  path: '/portal/api/approvals/:id/refuse',
  summary: 'Refuse a request, or take back an own one',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  params: one,
  body: decision,
  success: { status: 200, schema: Approval },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});

/** The operations of a Tenant's requests, in the order of the reference. */
export const approvalEndpoints = {
  listApprovals,
  createApproval,
  approveApproval,
  refuseApproval,
} as const;
