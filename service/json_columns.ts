import { factsColumn } from './alarms/alarm_log.ts';
import { settingsColumn } from './core/settings.ts';
import type { AnyJsonColumn } from './core/stored_json.ts';
import { violationsColumn } from './invariants/keep_proof.ts';
import { faultsColumn } from './people/audit/kept_proofs.ts';
import { auditBodyColumn } from './people/audit/list.ts';
import { givenColumn } from './portal/approvals/platform/given.ts';
import { platformSeenColumn, seenColumn } from './portal/approvals/seen.ts';
import { approvalBody } from './portal/approvals/table.ts';
import { messageFacts } from './resources/customers/messages/table.ts';

/**
 * Every column that holds JSON, with the schema of what it holds (rules/engine#34). A test compares it with
 * the catalog of the database, and reads by it what earlier releases have stored.
 */
export const jsonColumns: readonly AnyJsonColumn[] = [
  settingsColumn,
  violationsColumn,
  messageFacts,
  approvalBody,
  seenColumn,
  platformSeenColumn,
  givenColumn,
  factsColumn,
  faultsColumn,
  auditBodyColumn,
];
