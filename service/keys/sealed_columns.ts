import { referenceSeal } from '../rails/instructions.ts';
import { railMessageSeal, railObjectSeal } from '../rails/providers/table.ts';
import { mobileSeal } from '../resources/customers/mobile_number.ts';
import { noticeSeal } from '../resources/customers/notices/table.ts';
import { contactSeal } from '../resources/customers/owners/invitations.ts';
import { identityDocumentSeal } from '../resources/identity/documents.ts';
import { identityFieldSeal } from '../resources/identity/table.ts';
import { exchangeSeal } from '../resources/linked_accounts/exchanges.ts';
import { numbersSeal } from '../resources/linked_accounts/numbers.ts';
import { ownBankSeal } from '../resources/own_bank_accounts/table.ts';
import { secretSeal } from '../webhooks/secrets.ts';

/** A column with sealed values, and what each of them is bound to. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column that names a row, beside its Tenant. */
  readonly key: string;
  readonly keyType: 'uuid' | 'text';
  /** SQL of what the value is bound by, and how. */
  readonly boundBy: string;
  readonly bound: (value: string) => string;
  /** The table has a revision, by which commands prove what they read. */
  readonly revised: boolean;
  /** The ring that seals it; absent: `SEALING_KEY`. */
  readonly ring?: 'IDENTITY_KEY';
}

const byId = { key: 'id', keyType: 'uuid', revised: true } as const;

/** Every sealed column; a test compares the list with the schema (rules/keys#8). */
export const sealedColumns: readonly SealedColumn[] = [
  {
    ...byId,
    table: 'webhook_secrets',
    column: 'sealed',
    boundBy: 'id',
    bound: secretSeal,
  },
  {
    ...byId,
    table: 'customers',
    column: 'mobile_sealed',
    boundBy: `coalesce(mobile_hmac, 'freed ' || id)`,
    bound: mobileSeal,
  },
  {
    ...byId,
    table: 'customer_messages',
    column: 'mobile_sealed',
    boundBy: 'mobile_hmac',
    bound: mobileSeal,
  },
  {
    ...byId,
    table: 'session_progress',
    column: 'proven_mobile_sealed',
    key: 'session_id',
    boundBy: 'proven_mobile_hmac',
    bound: mobileSeal,
  },
  {
    ...byId,
    table: 'owners',
    column: 'contact_sealed',
    boundBy: 'customer_id',
    bound: contactSeal,
  },
  {
    ...byId,
    table: 'linked_accounts',
    column: 'reference_sealed',
    boundBy: 'customer_id',
    bound: referenceSeal,
  },
  {
    ...byId,
    table: 'linked_accounts',
    column: 'numbers_sealed',
    boundBy: 'id',
    bound: numbersSeal,
  },
  {
    ...byId,
    table: 'exchanges',
    column: 'accounts_sealed',
    key: 'token_hash',
    keyType: 'text',
    boundBy: 'token_hash',
    bound: exchangeSeal,
  },
  ...['number_sealed', 'proposed_number_sealed'].map((column) => ({
    ...byId,
    table: 'own_bank_accounts',
    column,
    key: 'role',
    keyType: 'text' as const,
    boundBy: 'role',
    bound: ownBankSeal,
  })),
  ...['rendered_sealed', 'address_sealed'].map((column) => ({
    ...byId,
    table: 'notices',
    column,
    boundBy: 'id',
    bound: noticeSeal,
  })),
  {
    ...byId,
    table: 'rail_messages',
    column: 'said_sealed',
    boundBy: 'id',
    bound: railMessageSeal,
  },
  {
    ...byId,
    table: 'rail_objects',
    column: 'value_sealed',
    boundBy: `provider || ' ' || kind || ' ' || key`,
    bound: railObjectSeal,
  },
  {
    ...byId,
    table: 'identity_fields',
    column: 'value_sealed',
    boundBy: `record_id || ' ' || name`,
    bound: identityFieldSeal,
    ring: 'IDENTITY_KEY',
  },
  {
    ...byId,
    table: 'identity_documents',
    column: 'key_sealed',
    boundBy: 'id',
    bound: identityDocumentSeal,
    ring: 'IDENTITY_KEY',
  },
  {
    table: 'idempotency',
    column: 'once_sealed',
    key: 'key_hash',
    keyType: 'uuid',
    boundBy: 'key_hash',
    bound: (keyHash) => keyHash,
    revised: false,
  },
];

/** Sealed for no Tenant: few values, which `keys reseal` seals anew at once (rules/keys#8). */
export const sealedOfNoTenant = [
  { table: 'service_keys', column: 'sealed' },
  { table: 'control.service_keys', column: 'sealed' },
  { table: 'control.identity_providers', column: 'client_secret_sealed' },
  { table: 'control.approvals', column: 'given_secret' },
] as const;

export const nameOf = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string =>
  `${table}.${column}`;
