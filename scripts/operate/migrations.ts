import { platform } from '../../backoffice/people/scope.ts';
import { tellAudit } from '../../engine/write/append_audit.ts';
import { type AuditRow, appendAuditRows } from '../../engine/write/flush_audit.ts';
import { withClient } from '../../fleet/cells.ts';
import { migrateCell } from '../../fleet/migrate_cells.ts';
import type { CellToMigrate } from '../../fleet/served.ts';
import { type MigrationPlan, planMigrations } from '../../service/db/migration_plan.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { logOperatorEvent } from './operator_event.ts';

/** Each migration is a transaction of its own, and the audit may be among them: it follows. */
async function note({ log }: Deployment, url: string, after: object): Promise<void> {
  const { text, values } = appendAuditRows([
    {
      scope: platform,
      actor: commandLine(),
      act: 'applyMigrations',
      record: null,
      outcome: 'done',
      after,
    },
  ]);
  const { rows } = await withClient(url, (client) => client.query<AuditRow>(text, values));
  tellAudit(log, rows);
  logOperatorEvent({ log }, 'migrations_applied', { ...after });
}

/** Brings a cell up to date, and says so where something was applied. @param cell named there */
export async function applyTo(deployment: Deployment, place: CellToMigrate, cell?: string) {
  const { applied } = await migrateCell(place, (line) => deployment.log.warn(line));
  if (applied.length > 0)
    await note(deployment, place.url, { ...(cell === undefined ? {} : { cell }), applied });
  return applied;
}

export const operations = {
  /** The changes that `apply` would make, and what would stop it. Changes nothing. */
  async plan(deployment: Deployment) {
    const plans: MigrationPlan[] = [];
    for (const { url, isNode } of await deployment.cellsToMigrate())
      if (!isNode) plans.push(await planMigrations(url));
    const all = (part: keyof MigrationPlan) => [...new Set(plans.flatMap((plan) => plan[part]))];
    return {
      waiting: all('waiting'),
      classes: all('classes'),
      unknown: all('unknown'),
      obstacles: all('obstacles'),
    };
  },

  /** Each cell that the settings name, one after the other. */
  async apply(deployment: Deployment) {
    const applied = new Set<string>();
    for (const cell of await deployment.cellsToMigrate())
      for (const name of await applyTo(deployment, cell)) applied.add(name);
    return { applied: [...applied] };
  },
};
