import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Head } from './verify.ts';

/** A start may follow a restored backup. */
const firstAfterMs = 60_000;
const everyMs = 3_600_000;

/** Tells where each chain of the audit ends (rules/audit#15). Only a worker does. */
export interface AuditHeads {
  start(): void;
  tellNow(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A line of the log for each chain, and then each hour for those that have grown: kept elsewhere, it
 * shows an end that was cut off. Several workers tell the same.
 */
export function openAuditHeads({ control, log }: Pick<Service, 'control' | 'log'>): AuditHeads {
  const told = new Map<string, string>();

  async function tellNow(): Promise<void> {
    const { rows } = await control.query<{ scope: string } & Head>(
      'select scope, number, hash from control.audit_heads order by scope',
    );
    for (const head of rows) {
      if (told.get(head.scope) === head.hash) continue;
      log.info({ audit_head: head }, 'where a chain of the audit ends');
      told.set(head.scope, head.hash);
    }
  }

  const { start, stop } = runLoop({
    firstAfterMs,
    pauseMs: () => everyMs,
    turn: async () => void (await tellNow()),
    failure: 'the heads of the audit could not be read',
    log,
  });
  return { start, tellNow, stop };
}
