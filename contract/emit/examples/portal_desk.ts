import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { shown } from './records.ts';
import { at, ids, tenant, uuid } from './story.ts';

/** A linked account that waits at the desk of the reviewers. */

const path = { resource: 'linked-accounts', id: ids.linkedAccount } as const;
const identityPath = { resource: 'customers', id: ids.ana } as const;
const documentId = uuid('b4');
const assignment = {
  assigned_to: { id: uuid('b8'), name: 'Robin Lane' },
  assigned_at: at('15:10:00'),
};
const waits = {
  ...shown('linked_account', 'held_for_review'),
  institution_id: 'ins_3',
  holder_match: { customer_name: 'Ana Reyes', holders: ['A REYES'], score: 80 },
};
const fields: Omit<Shown<'DeskCase'>, 'object' | 'record'> = {
  ...tenant,
  ...path,
  waiting_since: at('15:03:05'),
  due_at: null,
  late: false,
  amount: null,
  ...assignment,
  notes_count: 1,
  moves: ['verify', 'reject'],
};
const option = (move: string, optional: string[]) => ({
  move,
  required: [],
  optional,
  may_need_approval: false,
});
const note: Shown<'CaseNote'> = {
  id: uuid('b3'),
  object: 'case_note',
  text: 'I have asked for a statement.',
  by: 'Robin Lane',
  created_at: at('15:12:00'),
};

export const deskRecords: PortalRecords = {
  ReviewItem: {
    object: 'review_item',
    ...path,
    waiting_since: at('15:03:05'),
    moves: ['verify', 'reject'],
    record: waits,
  },
  ReviewedRecord: shown('linked_account', 'verified'),
  DeskCase: { object: 'desk_case', ...fields, record: waits },
  CaseFile: {
    object: 'case',
    ...fields,
    status: 'held_for_review',
    record: waits,
    letter: null,
    customer_id: ids.ana,
    people: [],
    options: [option('verify', []), option('reject', ['failure_code'])],
    decisions: [],
    earlier: [
      {
        resource: 'customers',
        id: ids.ana,
        move: 'approve',
        by: 'Robin Lane',
        note: null,
        amount: null,
        failure_code: null,
        at: at('15:01:00'),
      },
    ],
    awaits: null,
    bank_accounts: [
      {
        id: waits.id,
        institution_name: waits.institution_name,
        account_mask: waits.account_mask,
        status: waits.status,
        opted_out: false,
      },
    ],
    notes: [note],
  },
  CustomerCase: {
    object: 'customer_case',
    resource: 'disputes',
    id: ids.dispute,
    status: 'investigating',
    amount: 1250,
    waiting_since: at('16:30:00'),
    last_move: null,
    last_moved_at: null,
  },
  CaseAssignment: { object: 'case_assignment', ...assignment },
  CaseNote: note,
  IdentityRecord: {
    object: 'identity_record',
    id: ids.ana,
    collected_at: at('15:00:10'),
    tax_kind: 'ssn',
    opens: 'case',
    open_until: null,
    asked: [],
    missing: [],
    documents: [
      {
        id: documentId,
        kind: 'photo_id',
        content_type: 'image/jpeg',
        bytes: 412_000,
        received_at: at('15:00:05'),
      },
    ],
    owners: [],
    same_person: [
      {
        resource: 'owners',
        id: ids.owner,
        customer_id: ids.cafe,
        name: 'Ana Reyes',
        status: 'approved',
      },
    ],
    checks: [
      {
        decision: 'unclear',
        reasons: ['same_tax_number'],
        signals: ['same_tax_number: 1'],
        created_at: at('15:00:11'),
      },
    ],
  },
  OpenedIdentity: {
    object: 'opened_identity',
    id: ids.ana,
    name: 'Ana Reyes',
    birth_date: '1987-03-14',
    tax_number: '912701234',
    address: '1 Main St\nNew York, NY 10001',
  },
  OpenedIdentityDocument: {
    object: 'opened_identity_document',
    id: documentId,
    kind: 'photo_id',
    content_type: 'image/jpeg',
    file: '/9j/4AAQSkZJRg==',
  },
  MovePreview: {
    object: 'move_preview',
    effect: {
      postings: [],
      changes: [
        {
          object: 'linked_account',
          id: ids.linkedAccount,
          field: 'status',
          before: 'held_for_review',
          after: 'verified',
        },
      ],
    },
    needs_approval: false,
    obstacle: null,
    letter: null,
  },
};

export const deskCalls: PortalCalls = {
  reviewRecord: {
    path: { ...path, move: 'verify' },
    body: { note: 'The statement shows the same name.' },
  },
  listDesk: { query: { assigned: 'me', tenant: 'sample' } },
  getCase: { path },
  listCustomerCases: { path: { id: ids.ana } },
  takeCase: { path, body: { from: null } },
  releaseCase: {
    path,
    reply: { object: 'case_assignment', assigned_to: null, assigned_at: null },
  },
  getIdentity: { path: identityPath },
  openIdentity: { path: identityPath },
  openIdentityDocument: { path: { ...identityPath, document_id: documentId } },
  addCaseNote: { path, body: { text: note.text } },
  previewMove: { path, body: { move: 'verify' } },
};
