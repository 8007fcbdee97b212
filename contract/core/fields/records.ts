import { capitalized, type Field, type FieldKind, plainWords, within } from './field.ts';
import { settingField } from './settings.ts';

/** Fields of records, as changes, approvals, the audit and the history show them. */

const all = (group: string, kind: FieldKind, labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([name, label]): [string, Field] => [name, { label, kind, group }]);

/** Fields whose names say too little, or something else. */
const named: ReadonlyMap<string, Field> = new Map([
  ...all('Money', 'money', {
    available: 'Available',
    amount: 'Amount',
    award_cents: 'Award',
    awarded_cents: 'Awarded',
    cash: 'Cash',
    credited_cents: 'Provisional credit given',
    customer_bears: 'The customer bears',
    customer_bears_cents: 'The customer bears',
    delta: 'Change',
    dispute_cents: 'Of a dispute',
    disputed: 'Disputed',
    disputed_cents: 'Disputed',
    disputed_fee_cents: 'Disputed fee',
    earmarked: 'Earmarked',
    earmarked_cents: 'Earmarked',
    fee_amount: 'Fee',
    fees: 'Fees',
    fees_platform: 'Fees of the platform',
    fees_tenant: 'Fees of the tenant',
    held_cents: 'Held',
    ledger: 'Ledger balance',
    loads: 'Loads',
    moved: 'Moved',
    open_refunds: 'Open refunds',
    pending_outgoing: 'Pending outgoing',
    platform_fee: 'Fee of the platform',
    platform_fees: 'Fees of the platform',
    tenant_fee: 'Fee of the tenant',
    tenant_fees: 'Fees of the tenant',
    recovered_cents: 'Recovered',
    refunded_before: 'Refunded before',
    refunding_cents: 'Being refunded',
    released_cents: 'Released',
    returned_cents: 'Returned',
    taken_back_cents: 'Taken back',
    total: 'Total',
    fixed: 'Fixed part',
  }),
  ...all('Record', 'switch', {
    acknowledged: 'Acknowledged',
    amount_by_staff: 'Amount set by staff',
    can_load: 'Can load',
    can_pay_by_bank: 'Can pay by bank',
    can_withdraw: 'Can withdraw',
    legal_hold: 'Legal hold',
    regulation_e: 'Regulation E',
    enabled: 'Switched on',
    trust_email: "Trusts the provider's e-mail addresses",
    required: 'Demanded of everybody',
    delivers: 'Sends events',
    ended: 'Ended',
    settled: 'Settled',
    revoked: 'Revoked',
    suspended: 'Suspended',
    bootstrap: 'While the platform was set up',
  }),
  ...all('Times', 'time', {
    answer_by: 'Answer by',
    closing_waits_until: 'Closing waits until',
    erased_at: 'Personal data erased',
    held_at: 'Held since',
    login_restored_at: 'Sign-in at the bank restored',
    needs_login_at: 'Sign-in at the bank needed since',
    paper_since: 'On paper since',
    withdrawal_hold_until: 'Withdrawals held until',
    since: 'Since',
    until: 'Until',
  }),
  ...all('Record', 'count', {
    openings: 'Openings of the vault',
    rejections: 'Rejections',
    notice_late_days: 'Days by which the notice was late',
    version: 'Version',
    count: 'Count',
  }),
  ...all('People', 'role', { role: 'Role', roles: 'Roles' }),
  ...all('People', 'person', {
    assigned_to: 'Taken by',
    by: 'By',
    decided_by: 'Decided by',
    decider: 'Decided by',
    first_approver: 'First approver',
    maker: 'Asked by',
    maker_person: 'Asked by',
    person_id: 'Person',
    granted_by: 'Given by',
    given_by: 'Given by',
    invited_by: 'Invited by',
  }),
  ...all('Record', 'act', { act: 'Act', asked: 'Asked for' }),
  ...all('Record', 'state', { status: 'Status', delivery_status: 'Delivery' }),
  ...all('Record', 'exact', {
    address: 'Address',
    client_id: 'Client',
    email: 'E-mail',
    in_force: 'In force',
    issuer: 'Identity provider',
    last4: 'Last four digits',
    logo_url: 'Logo',
    primary_color: 'Main color',
    redirect_uri: 'Return address',
    routing_number: 'Routing number',
    url: 'Address',
  }),
  ...all('Record', 'text', {
    account_type: 'Account type',
    finding: 'Finding',
    latest: 'Latest version',
    name: 'Name',
    note: 'Note',
    reason: 'Reason',
    title: 'Title',
  }),
]);

const endings: readonly (readonly [RegExp, FieldKind, (name: string) => string])[] = [
  [/_cents$/, 'money', (name) => name.replace(/_cents$/, '')],
  [/(^|_)(amount|balance|balance_after|ledger_after)$/, 'money', (name) => name],
  [/_(at|since)$/, 'time', (name) => name.replace(/_at$/, '')],
  [/_until$/, 'time', (name) => name],
  [/(^|_)(day|date|period_start|period_end)$|_on$/, 'date', (name) => name],
  [/_seconds$/, 'seconds', (name) => name.replace(/_seconds$/, '')],
  [/_hours$/, 'hours', (name) => name.replace(/_hours$/, '')],
  [/_days$/, 'days', (name) => name.replace(/_days$/, '')],
  [/basis_points$/, 'basis_points', () => 'share'],
  [/_percent$/, 'percent', (name) => name.replace(/_percent$/, '')],
  [/(^|_)status$/, 'state', (name) => name],
  [/(^|_)(url|uri|issuer|hash)$/, 'exact', (name) => name],
  [/_id$/, 'record', (name) => name.replace(/_id$/, '')],
];

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/;
const day = /^\d{4}-\d\d-\d\d$/;

function kindOfValue(value: unknown): FieldKind {
  if (typeof value === 'boolean') return 'switch';
  if (typeof value === 'number') return 'count';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string' && instant.test(value)) return 'time';
  return typeof value === 'string' && day.test(value) ? 'date' : 'text';
}

const startsWithVerb = /^(is|has|was)_/;

/** A field that the catalog does not name is read from its name and value: never as it is spelled. */
function derived(name: string, value: unknown): Field {
  const group = 'Record';
  for (const [ending, kind, bare] of endings)
    if (ending.test(name)) return { label: capitalized(plainWords(bare(name))), kind, group };
  const label = capitalized(plainWords(name.replace(startsWithVerb, '')));
  return { label, kind: kindOfValue(value), group };
}

/** A field of a record by its name; the name of a part stands behind that of the whole: `limits.load_daily`. */
export function recordField(name: string, value?: unknown): Field {
  const parts = name.split('.').filter((part) => !/^\d+$/.test(part));
  const last = parts.at(-1) ?? name;
  const field = named.get(last) ?? derived(last, value);
  const above = parts.slice(0, -1);
  if (above.length === 0) return field;
  const words = above.map((part) => plainWords(part)).join(', ');
  return { ...field, label: `${capitalized(words)}: ${within(field.label)}` };
}

/** A field of a change, an approval or a row of the audit. */
export const fieldOf = (object: string | null, name: string, value?: unknown): Field =>
  (object === null || object === 'settings' ? settingField(name) : null) ??
  recordField(name, value);

/** The name that people give to a kind of record. */
const objects: Readonly<Record<string, string>> = {
  account: 'Account',
  'control.tenants': 'Tenant',
  customer: 'Customer',
  document_versions: 'Document',
  identity_provider: 'Identity provider',
  identity_records: 'Identity data',
  ledger_proofs: 'Proof of the ledger',
  linked_account: 'Bank account',
  order: "Bank's order",
  own_bank_account: 'Own bank account',
  qr_key: 'QR key',
  settings: 'Settings',
  staff: 'Staff',
  suspense: 'Unmatched money',
  return_request: 'Money asked back',
  violation: 'Violation',
};
export const objectWords = (object: string): string =>
  objects[object] ?? capitalized(plainWords(object.replace(/^control\./, '')));
