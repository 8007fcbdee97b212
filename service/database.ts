import type { balances } from '@tenant-payments/engine/ledger.ts';
import type { AnyTable, ValuesOf } from '@tenant-payments/engine/table.ts';
import type { tenants } from '@tenant-payments/engine/tenant.ts';
import type { instructions } from './rails/instructions.ts';
import type { pendingTransactions } from './resources/accounts/pending_transactions.ts';
import type { accounts } from './resources/accounts/table.ts';
import type { passkeys } from './resources/customers/credentials/passkeys.ts';
import type { pins } from './resources/customers/credentials/pins.ts';
import type {
  documents,
  documentVersions,
  legalTexts,
} from './resources/customers/documents/table.ts';
import type { customerMessages } from './resources/customers/messages/table.ts';
import type { notices } from './resources/customers/notices/table.ts';
import type { owners } from './resources/customers/owners/table.ts';
import type { customers } from './resources/customers/table.ts';
import type { disputes } from './resources/disputes/table.ts';
import type { identityChecks } from './resources/identity/checks.ts';
import type { identityDocuments } from './resources/identity/documents.ts';
import type { identityFields, identityRecords } from './resources/identity/table.ts';
import type { linkedAccounts, linkTokens } from './resources/linked_accounts/table.ts';
import type { loads } from './resources/loads/table.ts';
import type { paymentRequests } from './resources/payment_requests/table.ts';
import type { payments } from './resources/payments/table.ts';
import type { refunds } from './resources/refunds/table.ts';
import type { sessionProgress } from './resources/sessions/progress.ts';
import type { sessions } from './resources/sessions/table.ts';
import type { withdrawals } from './resources/withdrawals/table.ts';

/** A table as kysely reads it: its columns, and the two that every row has. */
type Stored<T extends AnyTable> = ValuesOf<T> & { tenant_id: string; revision: number };

/** The tables that reads and the portal query. The engine writes by its own SQL. */
export interface Database {
  tenants: Stored<typeof tenants>;
  clients: {
    client_id: string;
    tenant_id: string;
    created_at: string;
    retired_at: string | null;
  };
  client_secrets: {
    tenant_id: string;
    id: string;
    client_id: string;
    secret_hash: string;
    created_at: string;
    retired_at: string | null;
    last_used_at: string | null;
    expires_at: string | null;
  };
  access_tokens: {
    tenant_id: string;
    token_hash: string;
    client_id: string;
    epoch: number;
    expires_at: string;
  };
  balances: ValuesOf<typeof balances> & { tenant_id: string };
  customers: Stored<typeof customers>;
  identity_records: Stored<typeof identityRecords>;
  identity_fields: Stored<typeof identityFields>;
  identity_checks: Stored<typeof identityChecks>;
  identity_documents: Stored<typeof identityDocuments>;
  customer_messages: Stored<typeof customerMessages>;
  notices: Stored<typeof notices>;
  passkeys: Stored<typeof passkeys>;
  pins: Stored<typeof pins>;
  owners: Stored<typeof owners>;
  documents: Stored<typeof documents>;
  document_versions: Stored<typeof documentVersions>;
  legal_texts: Stored<typeof legalTexts>;
  accounts: Stored<typeof accounts>;
  linked_accounts: Stored<typeof linkedAccounts>;
  link_tokens: Stored<typeof linkTokens>;
  loads: Stored<typeof loads>;
  instructions: Stored<typeof instructions>;
  payments: Stored<typeof payments>;
  pending_transactions: Stored<typeof pendingTransactions>;
  withdrawals: Stored<typeof withdrawals>;
  refunds: Stored<typeof refunds>;
  disputes: Stored<typeof disputes>;
  payment_requests: Stored<typeof paymentRequests>;
  sessions: Stored<typeof sessions>;
  session_progress: Stored<typeof sessionProgress>;
  entries: {
    tenant_id: string;
    id: string;
    account_id: string | null;
    pocket: string;
    delta: number;
    number: number | null;
    balance_after: number | null;
    ledger_after: number | null;
    source_type: string;
    source_id: string;
    step: string;
    leg: number;
    transaction_type: string | null;
    amount: number | null;
    fee_amount: number | null;
    counterpart_kind: string | null;
    counterpart_id: string | null;
    created_at: string;
    posted_at: string | null;
  };
}
