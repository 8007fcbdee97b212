import type { OperationExample, PortalCalls, PortalRecords } from './operation_example.ts';
import { accessCalls, accessRecords } from './portal_access.ts';
import { approvalCalls, approvalRecords } from './portal_approvals.ts';
import { deskCalls, deskRecords } from './portal_desk.ts';
import { moneyCalls, moneyRecords } from './portal_money.ts';
import { operationsCalls, operationsRecords } from './portal_operations.ts';
import { peopleCalls, peopleRecords } from './portal_people.ts';
import { ownCalls, ownRecords } from './portal_records.ts';
import { sandboxCalls, sandboxRecords } from './portal_sandbox.ts';
import { tenantCalls, tenantRecords } from './portal_tenants.ts';
import { trafficCalls, trafficRecords } from './portal_traffic.ts';
import { webhookCalls, webhookRecords } from './portal_webhooks.ts';

/** The portal's own records, by schema name. */
export const portalRecordExamples: PortalRecords = {
  ...accessRecords,
  ...approvalRecords,
  ...deskRecords,
  ...moneyRecords,
  ...operationsRecords,
  ...ownRecords,
  ...peopleRecords,
  ...sandboxRecords,
  ...tenantRecords,
  ...trafficRecords,
  ...webhookRecords,
};

const calls: PortalCalls = {
  ...accessCalls,
  ...approvalCalls,
  ...deskCalls,
  ...moneyCalls,
  ...operationsCalls,
  ...ownCalls,
  ...peopleCalls,
  ...sandboxCalls,
  ...tenantCalls,
  ...trafficCalls,
  ...webhookCalls,
};

/** Examples of the portal's operations, by operation id. */
export const portalExamples: Readonly<Record<string, OperationExample>> = calls;
