import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, each with its seconds on two quiet cores. They start first, so that at the
 * end no worker waits for one of them: vitest itself goes by the size of a file, which says nothing here.
 */
export const longFiles: Readonly<Record<string, number>> = {
  'test/ledger/model/model.test.ts': 85,
  'test/ledger/races/payments.test.ts': 75,
  'test/e2e/access.test.ts': 66,
  'test/published/production_walk.test.ts': 55,
  'test/ledger/races/bank.test.ts': 50,
  'test/contract/conformance.test.ts': 45,
  'test/ledger/races/disputes.test.ts': 40,
  'test/e2e/portal/portal.test.ts': 40,
  'test/e2e/portal/control.test.ts': 38,
  'test/ledger/races/refunds.test.ts': 36,
  'test/faults/processes/drain.test.ts': 36,
  'test/e2e/portal/traffic.test.ts': 36,
  'test/e2e/shop/ten_tasks.test.ts': 35,
  'test/e2e/portal/records.test.ts': 34,
  'test/e2e/console/tenants.test.ts': 34,
  'test/ledger/races/closing.test.ts': 30,
  'test/contract/whole.test.ts': 30,
  'test/published/snippets.test.ts': 30,
  'test/e2e/console/money.test.ts': 26,
  'test/faults/webhooks/rotation.test.ts': 26,
  'test/tenants/alone.test.ts': 25,
  'service/portal/rights.test.ts': 24,
  'test/e2e/docs.test.ts': 22,
  'test/e2e/console/states.test.ts': 22,
  'test/tenants/foreign_ids.test.ts': 22,
  'test/faults/processes/deployment.test.ts': 22,
  'service/flows/hosted/pin/attempts.test.ts': 21,
  'service/resources/reconciliation/long_run.test.ts': 20,
  'test/e2e/scripts.test.ts': 20,
  'test/e2e/console/desk.test.ts': 20,
  'test/e2e/console/operations.test.ts': 19,
  'test/journeys/demo.test.ts': 18,
  'test/security/fuzz/fuzz.test.ts': 18,
  'test/faults/database/disk_full.test.ts': 18,
  'cli/production.test.ts': 18,
  'test/e2e/shop/shop_cleo.test.ts': 16,
  'test/e2e/flows.test.ts': 16,
  'test/security/canaries.test.ts': 15,
  'test/ledger/explorer/explorer.test.ts': 15,
  'test/e2e/sign_in.test.ts': 15,
  'start/main.test.ts': 14,
  'cli/rotation.test.ts': 14,
  'test/e2e/console/documents.test.ts': 14,
  'test/e2e/shop/shop.test.ts': 13,
  'test/journeys/clocks_change.test.ts': 13,
  'test/published/collection.test.ts': 12,
  'test/journeys/month_end.test.ts': 12,
  'test/published/guides.test.ts': 11,
  'test/security/parallel_pins.test.ts': 11,
  'test/faults/database/kill.test.ts': 10,
  'service/inbound/callbacks.test.ts': 10,
  'test/faults/crash/crash.test.ts': 10,
};

/** Vitest's order, with the longest files of each project first. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const seconds = ({ moduleId }: TestSpecification) =>
      longFiles[moduleId.slice(root.length + 1)] ?? 0;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) =>
      // One after the other, since a worker keeps the modules of its own project.
      a.project.name === b.project.name ? seconds(b) - seconds(a) : 0,
    );
  }
}
