import type { Entry } from '../ledger.ts';
import type { JobChange, MeterCount } from '../work_types.ts';
import type { EventText } from './event.ts';
import type { AuditEntry, AuditRow } from './flush_audit.ts';

/** The writes of a batch besides the rows of its tables. */
export interface StagedWrites {
  readonly entries: Entry[];
  readonly events: EventText[];
  readonly jobs: JobChange[];
  readonly audit: AuditEntry[];
  /** The rows of `audit`, once they are committed. */
  readonly audited: AuditRow[];
  /** Counted by whoever listens, once they are committed. */
  readonly counted: MeterCount[];
}
