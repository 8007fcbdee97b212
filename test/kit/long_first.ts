import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, each with about its seconds in a whole run. They start first, so that at the
 * end no worker waits for one of them: vitest itself goes by the size of a file, which says nothing here.
 */
export const longFiles: Readonly<Record<string, number>> = {
  'test/ledger/model/model.test.ts': 136,
  'test/ledger/races/payments.test.ts': 100,
  'test/e2e/access.test.ts': 100,
  'test/published/production_walk.test.ts': 88,
  'test/faults/cells/move_apart.test.ts': 69,
  'test/ledger/races/closing.test.ts': 49,
  'test/e2e/scripts.test.ts': 42,
  'service/portal/rights.test.ts': 40,
  'test/e2e/portal/records.test.ts': 38,
  'test/ledger/races/bank.test.ts': 37,
  'test/e2e/shop/ten_tasks.test.ts': 37,
  'test/e2e/portal/traffic.test.ts': 36,
  'test/faults/cells/moves_killed.test.ts': 35,
  'test/e2e/portal/portal.test.ts': 35,
  'test/faults/cells/process.test.ts': 34,
  'test/e2e/portal/control.test.ts': 34,
  'test/e2e/docs.test.ts': 33,
  'test/faults/cells/move.test.ts': 32,
  'test/e2e/console/tenants.test.ts': 32,
  'test/ledger/races/disputes.test.ts': 30,
  'test/faults/processes/drain.test.ts': 30,
  'test/faults/processes/clock_kill.test.ts': 28,
  'test/contract/conformance.test.ts': 28,
  'test/tenants/foreign_ids.test.ts': 26,
  'test/published/command_line.test.ts': 26,
  'test/e2e/console/money.test.ts': 26,
  'service/inbound/callbacks.test.ts': 26,
  'test/ledger/races/refunds.test.ts': 25,
  'test/ledger/model/cells.test.ts': 25,
  'test/e2e/shop/shop.test.ts': 25,
  'service/resources/reconciliation/long_run.test.ts': 24,
  'test/faults/crash/crash.test.ts': 23,
  'test/e2e/flows.test.ts': 23,
  'test/published/snippets.test.ts': 22,
  'test/e2e/shop/shop_cleo.test.ts': 21,
  'test/e2e/console/operations.test.ts': 21,
  'test/e2e/console/desk.test.ts': 21,
  'test/tenants/alone.test.ts': 19,
  'test/e2e/shop/shop_ana.test.ts': 16,
  'test/e2e/console/states.test.ts': 16,
  'test/contract/whole.test.ts': 16,
  'test/faults/webhooks/isolation.test.ts': 15,
  'test/faults/cells/late.test.ts': 15,
  'test/e2e/fields.test.ts': 13,
  'service/resources/disputes/deadlines.test.ts': 13,
  'cli/tpay/receiver/duties.test.ts': 13,
  'test/e2e/sign_in.test.ts': 12,
  'test/e2e/confirm.test.ts': 12,
  'test/published/sdk.test.ts': 11,
  'test/ledger/explorer/explorer.test.ts': 11,
  'test/faults/processes/deployment.test.ts': 11,
  'test/e2e/sdk/sdk_leaks.test.ts': 11,
  'test/e2e/console/support.test.ts': 11,
  'test/e2e/console/approvals.test.ts': 11,
  'service/portal/stream/streams.test.ts': 11,
  'cli/production.test.ts': 11,
  'test/published/collection.test.ts': 10,
  'test/faults/webhooks/endpoint.test.ts': 10,
  'test/faults/database/holes.test.ts': 10,
  'test/faults/cells/remote.test.ts': 10,
  'test/e2e/console/documents.test.ts': 10,
  'start/main.test.ts': 10,
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
