import type { Bug } from './bug.ts';

const recordsTest = ['backoffice/portal/records.test.ts'];

/** No Tenant sees, moves or receives what belongs to another one. */
export const tenancyBugs: readonly Bug[] = [
  {
    name: 'payment-read-without-tenant',
    file: 'service/resources/get_record.ts',
    in: 'row',
    swap: [".where('tenant_id', '=', tenantId)", ''],
    tests: ['test/contract/conformance.test.ts'],
    named: 'getPayment refuses',
    why: 'Whoever knows its id reads the payment of another Tenant.',
  },
  {
    name: 'portal-list-without-tenant',
    file: 'service/resources/found_page.ts',
    in: 'partsOf',
    swap: [`tenant_id = \${tenantId}`, `\${tenantId}::uuid is not null`],
    tests: recordsTest,
    named: "payments' shows nothing of another tenant",
    why: 'A list of the portal shows the records of every Tenant.',
  },
  {
    name: 'request-log-without-tenant',
    file: 'backoffice/portal/activity/requests.ts',
    in: 'listRequests',
    swap: [`tenant_id = \${tenantId}`, `\${tenantId}::uuid is not null`],
    tests: recordsTest,
    named: 'shows no request of another tenant',
    why: 'The request log shows what other Tenants asked.',
  },
  {
    name: 'event-list-without-tenant',
    file: 'service/webhooks/list.ts',
    in: 'listWebhookEvents',
    swap: [`e.tenant_id = \${tenantId}`, `\${tenantId}::uuid is not null`],
    tests: ['service/webhooks/list.test.ts'],
    why: 'The listing of events shows those of every Tenant.',
  },
  {
    name: 'resend-without-tenant',
    file: 'engine/load/path.ts',
    in: 'keyText',
    swap: [`|\${tenantId}`, ''],
    tests: ['service/webhooks/resend_tenants.test.ts'],
    why: 'Of two Tenants whose calls share a batch, one has the event of the other sent again.',
  },
  {
    name: 'delivery-to-any-endpoint',
    file: 'service/webhooks/dispatch/kinds.ts',
    in: 'deliveryKinds',
    swap: ['webhook_endpoints w on w.tenant_id = d.tenant_id and', 'webhook_endpoints w on'],
    tests: ['service/webhooks/resend_tenants.test.ts'],
    why: "A Tenant's event is sent to the endpoint of another one.",
  },
  {
    name: 'download-without-tenant',
    file: 'service/resources/reconciliation/file.ts',
    in: 'openReportFiles',
    swap: ['tenant_id = $1', '$1::uuid is not null'],
    tests: ['service/http/files/downloads.test.ts'],
    named: 'an address of another key, tenant, kind or record',
    why: 'The address of a file opens the file of another Tenant.',
  },
  {
    name: 'report-without-tenant',
    file: 'service/resources/reconciliation/read.ts',
    in: 'getReconciliationReport',
    swap: [`tenant_id = \${tenantId}`, `\${tenantId}::uuid is not null`],
    tests: ['service/resources/reconciliation/report.test.ts'],
    named: 'under dedicated_fbo',
    why: "A Tenant reads another one's report of the day.",
  },
  {
    name: 'cursor-of-any-tenant',
    file: 'engine/pages.ts',
    in: 'markOf',
    swap: ['tenantId', "''"],
    tests: ['engine/pages.test.ts'],
    why: 'A cursor that one Tenant was given is taken from another one.',
  },
];
