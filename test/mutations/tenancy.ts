import type { Bug } from './bug.ts';

const recordsTest = ['service/portal/records.test.ts'];

/** That no Tenant sees, moves or is told of what belongs to another one. */
export const tenancyBugs: readonly Bug[] = [
  {
    name: 'payment-read-without-tenant',
    file: 'service/resources/payments/read.ts',
    find: "    .where('tenant_id', '=', context.tenantId)\n",
    replace: '',
    tests: ['test/contract/conformance.test.ts'],
    named: 'getPayment refuses',
    why: 'Whoever knows its id reads the payment of another Tenant.',
  },
  {
    name: 'portal-list-without-tenant',
    file: 'service/portal/lists.ts',
    find: `where tenant_id = \${tenantId}\n`,
    replace: `where \${tenantId}::uuid is not null\n`,
    tests: recordsTest,
    named: "payments' shows nothing of another tenant",
    why: 'A list of the portal shows the records of every Tenant.',
  },
  {
    name: 'request-log-without-tenant',
    file: 'service/portal/requests.ts',
    find: `where tenant_id = \${tenantId}\n`,
    replace: `where \${tenantId}::uuid is not null\n`,
    tests: recordsTest,
    named: "shows nothing of another tenant's",
    why: 'The request log shows what other Tenants asked.',
  },
  {
    name: 'event-list-without-tenant',
    file: 'service/webhooks/list.ts',
    find: `where e.tenant_id = \${tenantId} and e.created_at`,
    replace: `where \${tenantId}::uuid is not null and e.created_at`,
    tests: ['service/webhooks/list.test.ts'],
    why: 'The listing of events shows those of every Tenant.',
  },
  {
    name: 'resend-without-tenant',
    file: 'service/core/path.ts',
    find: `\`\${path.name}|\${tenantId}|\${values.join(`,
    replace: `\`\${path.name}|\${values.join(`,
    tests: ['service/webhooks/resend_tenants.test.ts'],
    why: 'Of two Tenants whose calls share a batch, one has the event of the other sent again.',
  },
  {
    name: 'delivery-to-any-endpoint',
    file: 'service/webhooks/store.ts',
    find: 'left join webhook_endpoints w on w.tenant_id = d.tenant_id and w.enabled',
    replace: 'left join webhook_endpoints w on w.enabled',
    tests: ['service/webhooks/resend_tenants.test.ts'],
    why: "A Tenant's event is sent to the endpoint of another one.",
  },
  {
    name: 'download-without-tenant',
    file: 'service/resources/reconciliation/file.ts',
    find: 'select * from reconciliation_reports where tenant_id = $1 and id = $2',
    replace: 'select * from reconciliation_reports where $1::uuid is not null and id = $2',
    tests: ['service/http/downloads.test.ts'],
    named: 'an address of another key, tenant, kind or record',
    why: 'The address of a file opens the file of another Tenant.',
  },
  {
    name: 'report-without-tenant',
    file: 'service/resources/reconciliation/read.ts',
    find: `where tenant_id = \${tenantId} and day = \${day}`,
    replace: `where \${tenantId}::uuid is not null and day = \${day}`,
    tests: ['service/resources/reconciliation/report.test.ts'],
    named: 'under dedicated_fbo',
    why: "A Tenant reads another one's report of the day.",
  },
  {
    name: 'cursor-of-any-tenant',
    file: 'service/http/pages.ts',
    find: 'vault.index(tenantId, `cursor',
    replace: "vault.index('', `cursor",
    tests: ['service/http/pages.test.ts'],
    why: 'A cursor that one Tenant was given is taken from another one.',
  },
];
