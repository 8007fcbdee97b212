import type { Json } from '../openapi/schemas.ts';
import type { OperationExample } from './operation_example.ts';
import { storyRecords } from './records.ts';
import { at, ids } from './story.ts';

/** A linked account that waits at the desk of the reviewers. */

const person: Json = { id: '019cb0c4-5e00-7000-8000-0000000000b2', name: 'Robin Lane' };
const assignment: Json = { assigned_to: person, assigned_at: at('15:10:00') };
const path: Json = { resource: 'linked-accounts', id: ids.linkedAccount };
const identityPath: Readonly<Record<string, string>> = { resource: 'customers', id: ids.ana };
const fields: Json = {
  tenant_id: '019cb0c4-5e00-7000-8000-0000000000b1',
  tenant_name: 'Sample Tenant',
  ...path,
  waiting_since: at('15:03:05'),
  due_at: null,
  late: false,
  amount: null,
  ...assignment,
  notes_count: 1,
  moves: ['verify', 'reject'],
};
const record: Json = {
  ...storyRecords.linked_account,
  status: 'held_for_review',
  capabilities: { withdrawal: false, load: false, pay_by_bank: false },
  institution_id: 'ins_3',
  holder_match: { customer_name: 'Ana Reyes', holders: ['A REYES'], score: 80 },
};
const option = (move: string, optional: string[]): Json => ({
  move,
  required: [],
  optional,
  may_need_approval: false,
});
const note: Json = {
  id: '019cb0c4-5e00-7000-8000-0000000000b3',
  object: 'case_note',
  text: 'I have asked for a statement.',
  by: 'Robin Lane',
  created_at: at('15:12:00'),
};
const effect: Json = {
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
};

export const deskRecords: Readonly<Record<string, Json>> = {
  DeskCase: { object: 'desk_case', ...fields, record },
  CaseFile: {
    object: 'case',
    ...fields,
    status: 'held_for_review',
    record,
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
    bank_accounts: [
      {
        id: ids.linkedAccount,
        institution_name: 'Sample Bank',
        account_mask: '6789',
        status: 'verified',
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
    amount: 80_00,
    waiting_since: at('15:20:00'),
    last_move: 'investigate',
    last_moved_at: at('15:30:00'),
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
        id: '019cb0c4-5e00-7000-8000-0000000000b4',
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
    id: '019cb0c4-5e00-7000-8000-0000000000b4',
    kind: 'photo_id',
    content_type: 'image/jpeg',
    file: '/9j/4AAQSkZJRg==',
  },
  MovePreview: {
    object: 'move_preview',
    effect,
    needs_approval: false,
    obstacle: null,
    letter: null,
  },
};

export const deskRequests: Readonly<Record<string, OperationExample>> = {
  listDesk: { query: { assigned: 'me', tenant: 'corner' } },
  getCase: { path },
  listCustomerCases: { path: { id: ids.ana } },
  takeCase: { path, body: { from: null } },
  releaseCase: {
    path,
    reply: { object: 'case_assignment', assigned_to: null, assigned_at: null },
  },
  getIdentity: { path: identityPath },
  openIdentity: { path: identityPath },
  openIdentityDocument: {
    path: { ...identityPath, document_id: '019cb0c4-5e00-7000-8000-0000000000b4' },
  },
  addCaseNote: { path, body: { text: 'I have asked for a statement.' } },
  previewMove: { path, body: { move: 'verify' } },
};
