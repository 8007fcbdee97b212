import { givenColumn } from '../backoffice/approvals/platform/given.ts';
import { platformSeenColumn, seenColumn } from '../backoffice/approvals/seen.ts';
import { approvalBody } from '../backoffice/approvals/table.ts';
import { faultsColumn } from '../backoffice/audit/kept_proofs.ts';
import { auditBodyColumn } from '../backoffice/audit/list.ts';
import { deliversToColumn } from '../engine/delivers_to.ts';
import { settingsColumn } from '../engine/settings.ts';
import type { AnyJsonColumn } from '../engine/stored_json.ts';
import { factsColumn } from '../service/alarms/alarm_log.ts';
import { violationsColumn } from '../service/invariants/keep_proof.ts';
import { messageFacts } from '../service/resources/customers/messages/table.ts';
import { holderMatchColumn } from '../service/resources/linked_accounts/table.ts';
import { metadataColumns } from '../service/resources/metadata.ts';
import { inForceColumn, proposedColumn } from '../service/resources/own_bank_accounts/table.ts';
import { termPieces } from '../service/resources/terms/table.ts';

/**
 * Every column that holds JSON, with the schema of what it holds (rules/engine#34). A test compares it with
 * the catalog of the database, and reads by it what earlier releases have stored.
 */
export const jsonColumns: readonly AnyJsonColumn[] = [
  settingsColumn,
  deliversToColumn,
  violationsColumn,
  messageFacts,
  holderMatchColumn,
  termPieces,
  inForceColumn,
  proposedColumn,
  ...metadataColumns,
  approvalBody,
  seenColumn,
  platformSeenColumn,
  givenColumn,
  factsColumn,
  faultsColumn,
  auditBodyColumn,
];
