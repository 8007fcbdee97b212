import { Cents } from '@tenant-payments/contract/core/money.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile } from '../records/list_filters.ts';
import { Approval, ApprovalEffect } from './approvals.ts';
import { PreviewedLetter } from './dispute_letters.ts';
import { Queued, queuedResources, reviewRecord } from './review.ts';

/** The desk of the platform's reviewers: what waits in all Tenants, and one case of it (rules/review#30). */

/** The resources of cases: those that wait in a Tenant's queue, and requests for a second person. */
export const deskResources = [...queuedResources, 'approvals'] as const;
export type DeskResource = (typeof deskResources)[number];

const Person = Closed({
  id: Type.String({ description: 'Person identifier' }),
  name: Type.String({ description: 'Name' }),
});

const caseFields = {
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
  resource: OneOf(deskResources, 'As in the path of a review move'),
  id: Id('As in the path of a review move'),
  waiting_since: Nullable(Instant('Since when it waits for a person; null: it no longer waits')),
  due_at: Nullable(
    Instant(
      'By when somebody must act: the first open deadline of a dispute, the end of a request for approval, of the wait of a closing account',
    ),
  ),
  late: Type.Boolean({ description: "Its due time has passed on the Tenant's clock" }),
  amount: Nullable(Cents),
  assigned_to: Nullable(Person),
  assigned_at: Nullable(Instant('When it was taken, in real time')),
  notes_count: Type.Integer({ minimum: 0 }),
  moves: Type.Array(Type.String(), { description: 'Moves that can be made now' }),
};

export const DeskCase = Closed({
  object: Type.Literal('desk_case'),
  ...caseFields,
  record: Type.Union([Queued, Approval]),
});
export type DeskCase = Static<typeof DeskCase>;

export const listDesk = portalEndpoint({
  id: 'listDesk',
  method: 'GET',
  path: '/portal/api/desk',
  summary: 'List what waits for a person in all Tenants, what is due first at the top',
  idempotent: 'none',
  access: 'export',
  stepUp: 'by_format',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  query: Closed({
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    tenant: Type.Optional(Text(100, 'Of the Tenants whose name has this part, in any case')),
    resource: Type.Optional(OneOf(deskResources)),
    assigned: Type.Optional(OneOf(['me', 'nobody', 'others'], 'By who has taken it')),
    late: Type.Optional(Type.Boolean({ description: 'Whether its due time has passed' })),
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(DeskCase) },
  errors: ['parameter_invalid'],
});

const one = Closed({
  resource: IdInput(`One of ${deskResources.join(', ')}`),
  id: IdInput('The record'),
});

export const CaseNote = Closed({
  id: Type.String({ description: 'Identifier of the note' }),
  object: Type.Literal('case_note'),
  text: Type.String(),
  by: Type.String({
    description: 'Name of who wrote it; the kind of caller where it is no person',
  }),
  created_at: Instant('When it was written, in real time'),
});

/** A decision that was made, of this record or another of the same customer. */
const Decision = Closed({
  resource: Type.String(),
  id: Id('The record'),
  move: Type.String(),
  by: Type.String({ description: 'Name of who made it; the kind of caller where it is no person' }),
  note: Nullable(Type.String()),
  amount: Nullable(Cents),
  failure_code: Nullable(Type.String()),
  at: Instant("When it was made, on the Tenant's clock"),
});

/** Movements that a bank may be executing while a dispute waits for its determination (rules/disputes#18). */
const awaited = ['refund', 'payment', 'withdrawal'] as const;

export const CaseFile = Closed({
  object: Type.Literal('case'),
  ...caseFields,
  status: Type.String({ description: 'Status of the record' }),
  record: DeskCase.properties.record,
  letter: Nullable(PreviewedLetter),
  customer_id: Nullable(Id('The customer whom it is about')),
  people: Type.Array(
    Closed({
      id: Type.String({ description: 'Person identifier' }),
      name: Type.String({ description: 'Name' }),
      email: Type.String({ description: 'Email address' }),
    }),
    { description: 'Whom a request for a second person names by id' },
  ),
  options: Type.Array(
    Closed({
      move: Type.String(),
      required: Type.Array(Type.String(), { description: 'Fields that the move demands' }),
      optional: Type.Array(Type.String(), { description: 'Fields that it also takes' }),
      may_need_approval: Type.Boolean({ description: 'A second person may be needed' }),
    }),
    { description: 'The moves that can be made now, and what they take' },
  ),
  decisions: Type.Array(Decision, { description: 'Made of this record, oldest first' }),
  earlier: Type.Array(Decision, {
    description: 'Made of other records of the same customer, newest first; at most 50',
  }),
  awaits: Nullable(
    OneOf(
      awaited,
      'What is in processing at a bank: a dispute is not awarded before its end, nor determined before that of a refund',
    ),
  ),
  bank_accounts: Type.Array(
    Closed({
      id: Id('A bank account of the customer'),
      institution_name: LinkedAccount.properties.institution_name,
      account_mask: LinkedAccount.properties.account_mask,
      status: LinkedAccount.properties.status,
      opted_out: Type.Boolean({
        description: 'The bank takes requests, and the customer takes none from it',
      }),
    }),
    { description: 'Newest first; those that were removed left out' },
  ),
  notes: Type.Array(CaseNote, { description: 'Oldest first' }),
});
export type CaseFile = Static<typeof CaseFile>;

const ofCase = { may: ['reviewer'], of: 'tenant', params: one } as const;

export const getCase = portalEndpoint({
  id: 'getCase',
  method: 'GET',
  path: '/portal/api/cases/:resource/:id',
  summary: 'Get a case: the record, who has it, what was decided, and what can be decided now',
  idempotent: 'none',
  access: 'case',
  ...ofCase,
  success: { status: 200, schema: CaseFile },
  errors: ['parameter_invalid', 'not_found'],
});

export const CaseAssignment = Closed({
  object: Type.Literal('case_assignment'),
  assigned_to: Nullable(Person),
  assigned_at: Nullable(Instant('When it was taken, in real time')),
});

export const takeCase = portalEndpoint({
  id: 'takeCase',
  method: 'POST',
  path: '/portal/api/cases/:resource/:id/take',
  summary: 'Take a case: until it is released nobody else decides it',
  idempotent: 'none',
  ...ofCase,
  body: Closed({
    from: Type.Optional(
      Nullable(IdInput('The person who has it, to take it over; nobody otherwise')),
    ),
  }),
  success: { status: 200, schema: CaseAssignment },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});

export const releaseCase = portalEndpoint({
  id: 'releaseCase',
  method: 'POST',
  path: '/portal/api/cases/:resource/:id/release',
  summary: 'Give a case back that the caller has taken',
  idempotent: 'none',
  ...ofCase,
  success: { status: 200, schema: CaseAssignment },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});

export const addCaseNote = portalEndpoint({
  id: 'addCaseNote',
  method: 'POST',
  path: '/portal/api/cases/:resource/:id/notes',
  summary: 'Write a note on a case; it stays, and only staff see it',
  idempotent: 'honored',
  ...ofCase,
  body: Closed({ text: Readable(4_000) }),
  success: { status: 201, schema: CaseNote },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found'],
});

const { note: _, ...moveFields } = reviewRecord.body.properties;

export const MovePreview = Closed({
  object: Type.Literal('move_preview'),
  effect: Nullable(ApprovalEffect),
  needs_approval: Type.Boolean({ description: 'One person cannot do it alone' }),
  obstacle: Nullable(
    Closed({ code: Type.String(), reason: Nullable(Type.String()) }, 'Why it cannot be done now'),
  ),
  letter: Nullable(PreviewedLetter),
});

export const previewMove = portalEndpoint({
  id: 'previewMove',
  method: 'POST',
  path: '/portal/api/cases/:resource/:id/preview',
  summary: 'Show what a move would do now: its postings and changes; nothing is done',
  idempotent: 'none',
  access: 'case',
  ...ofCase,
  params: Closed({
    resource: IdInput(`One of ${[...queuedResources, 'reserve'].join(', ')}`),
    id: IdInput('The record; `reserve` for the reserve'),
  }),
  largestBody: reviewRecord.largestBody,
  body: Closed({ ...moveFields, move: IdInput('A move of the resource') }),
  success: { status: 200, schema: MovePreview },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found'],
});
