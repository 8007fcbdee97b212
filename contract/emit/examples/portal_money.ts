import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, ids, tenant } from './story.ts';

/** Examples of money that is no customer's, as the platform's staff see it. */

const item = 'adj_019cb0c45e0070008000000000000101';
const seen: Omit<Shown<'UnmatchedMoney'>, 'object'> = {
  ...tenant,
  now: at('16:00:00'),
  record: {
    id: item,
    object: 'suspense',
    status: 'held',
    reason: 'late',
    amount: 5000,
    currency: 'USD',
    source_type: 'load',
    source_id: ids.load,
    account_id: ids.anaAccount,
    linked_account_id: ids.linkedAccount,
    created_at: at('15:30:00'),
    resolved_at: null,
  },
  references: ['20260302B1QEXAMPLE'],
  received: null,
};
const proposal: Shown<'MatchProposal'> = {
  account_id: ids.anaAccount,
  account_status: 'active',
  customer_id: ids.ana,
  customer: 'Ana Reyes',
  reasons: [
    {
      reason: 'named_by_bank',
      record_id: ids.load,
      record_status: null,
      amount: null,
      reference: null,
      days_apart: null,
    },
  ],
};

const orderId = '019cb0c4-5e00-7000-8000-000000000106';
const differenceKey = `line 2 posting ${ids.load} load_settled ${at('15:30:00')} 3000`;
const railMessage: Omit<Shown<'RailMessage'>, 'object'> = {
  id: '019cb0c4-5e00-7000-8000-000000000107',
  ...tenant,
  provider: 'mybank',
  message_id: 'evt_4711',
  port: 'bank',
  record: orderId,
  state: 'parked',
  result: 'unknown',
  received_at: at('15:30:00'),
  acted_at: at('15:30:00'),
  replays: 0,
  closed_at: null,
  closed_by: null,
  close_reason: null,
};
const railMessagePath = { tenant_id: tenant.tenant_id, id: railMessage.id };

const ofDay = { tenant_id: tenant.tenant_id, day: '2026-03-02' };
const csv =
  'date,amount,reference,description,closing_balance\r\n' +
  `2026-03-02,25.00,${orderId},Load,10025.00\r\n`;
const statement: Shown<'BankStatement'> = {
  id: '019cb0c4-5e00-7000-8000-000000000105',
  object: 'bank_statement',
  ...tenant,
  day: ofDay.day,
  file_name: 'statement-2026-03-02.csv',
  sha256: '5d1f6a3c9b7e2f40816d3c5a7b9e1f2d4c6a8b0e2f4d6c8a0b1e3f5d7c9a1b2e',
  lines: 1,
  total: 2500,
  closing_balance: 1002500,
  uploaded_by: 'Robin Lane',
  uploaded_at: '2026-03-03T13:00:00.000Z',
};

export const moneyRecords: PortalRecords = {
  RailMessage: { object: 'rail_message', ...railMessage },
  RailMessageDetail: {
    object: 'rail_message_detail',
    ...railMessage,
    said: {
      id: 'evt_4711',
      orderId,
      outcome: 'settled',
      amount: 5000,
    },
  },
  UnmatchedMoney: { object: 'unmatched_money', ...seen },
  MatchProposal: proposal,
  UnmatchedMoneyDetail: {
    object: 'unmatched_money_detail',
    ...seen,
    proposals: [proposal],
    credited_account_id: null,
  },
  Reserve: {
    object: 'reserve',
    ...tenant,
    balance: 1000000,
    in_transit: 0,
    floor: 5000,
    short: 0,
    open_disputes: 2,
    unknown_disputes: 1,
  },
  FeeSweep: {
    object: 'fee_sweep',
    id: 'adj_019cb0c45e0070008000000000000102',
    ...tenant,
    day: '2026-03-01',
    status: 'swept',
    platform_fees: 1250,
    tenant_fees: 0,
    created_at: '2026-03-02T04:30:00.000Z',
  },
  WaitingFees: {
    object: 'waiting_fees',
    platform_fees: 38,
    tenant_fees: 0,
    next_sweep_at: '2026-03-03T04:30:00.000Z',
    now: at('16:00:00'),
  },
  MadeAdjustment: {
    object: 'adjustment',
    id: '019cb0c4-5e00-7000-8000-000000000103',
    status: 'made',
    ...tenant,
    account_id: ids.anaAccount,
    amount: 2500,
    reason: 'The fee was charged twice.',
    asked_by: 'Robin Lane',
    decided_by: 'Sam Park',
    decision_note: null,
    approval_id: ids.approval,
    source_id: 'adj_019cb0c45e0070008000000000000104',
    created_at: at('16:30:00'),
  },
  BankStatement: statement,
  StatementComparison: {
    object: 'statement_comparison',
    statement,
    ties: false,
    ledger_total: 3000,
    ledger_closing_balance: 1003000,
    customers_closing_balance: 34950,
    matched_by_reference: 0,
    matched_by_amount: 0,
    differences_count: 1,
    open_count: 0,
    differences: [
      {
        key: differenceKey,
        kind: 'other_amount',
        line: 2,
        bank_amount: 2500,
        ledger_amount: 3000,
        reference: orderId,
        description: 'Load',
        tenant_id: tenant.tenant_id,
        source_id: ids.load,
        step: 'load_settled',
        posted_at: at('15:30:00'),
        cleared: true,
        notes: [
          {
            note: 'The bank kept its fee: booked on the next day',
            cleared: true,
            by: 'Robin Lane',
            created_at: at('17:00:00'),
          },
        ],
      },
    ],
  },
  OwnBankAccount: {
    object: 'own_bank_account',
    id: 'fbo',
    in_force: {
      title: 'Sample Tenant FBO',
      account_type: 'checking',
      routing_number: '021000021',
      last4: '6789',
    },
    in_force_at: at('16:00:00'),
    proposed: null,
    proposed_at: null,
  },
  RequestVolumes: {
    object: 'request_volumes',
    from: '2026-02-01T15:00:00.000000Z',
    to: at('15:00:00'),
    total: { sent: 412, paid: 391, refused: 14, opted_out: 2, expired: 5 },
    uses: [
      {
        use_case: 'account_to_account',
        sent: 300,
        paid: 290,
        refused: 7,
        opted_out: 1,
        expired: 2,
      },
      { use_case: 'consumer_bill', sent: 112, paid: 101, refused: 7, opted_out: 1, expired: 3 },
      { use_case: 'business', sent: 0, paid: 0, refused: 0, opted_out: 0, expired: 0 },
      { use_case: 'purchase', sent: 0, paid: 0, refused: 0, opted_out: 0, expired: 0 },
    ],
  },
  SandboxBankStatement: {
    object: 'sandbox_bank_statement',
    file_name: 'sandbox-bank-2026-03-02.csv',
    csv,
  },
};

export const moneyCalls: PortalCalls = {
  listUnmatchedMoney: { query: { limit: 25 } },
  getUnmatchedMoney: { path: { id: item } },
  listRailMessages: { query: { state: 'open', provider: 'mybank' } },
  getRailMessage: { path: railMessagePath },
  replayRailMessage: { path: railMessagePath },
  closeRailMessage: { path: railMessagePath, body: { reason: 'A test of the bank' } },
  listReserves: { query: { limit: 25 } },
  listFeeSweeps: { query: { limit: 25 } },
  listAdjustments: { query: { status: 'waiting' } },
  proposeBankAccount: {
    path: { id: 'fbo' },
    body: {
      title: 'Sample Tenant FBO',
      account_type: 'checking',
      routing_number: '021000021',
      account_number: '000123456789',
    },
  },
  putBankAccountInForce: { path: { id: 'fbo' } },
  getRequestVolumes: { query: { days: 30 } },
  listBankStatements: { query: { limit: 25 } },
  uploadBankStatement: {
    body: { ...ofDay, file_name: statement.file_name, csv },
  },
  compareBankStatement: { path: { id: statement.id } },
  noteBankDifference: {
    path: { id: statement.id },
    body: {
      difference: differenceKey,
      note: 'The bank kept its fee: booked on the next day',
      cleared: true,
    },
  },
  getSandboxBankStatement: { query: ofDay },
};
