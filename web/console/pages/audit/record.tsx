import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { TenantProvider } from '../../../staff/api/queries.ts';
import { Name } from '../../../staff/parts/face.tsx';
import { ShortId } from '../../../staff/parts/short_id.tsx';

/** Cases by the kind of their ids. */
const cases: ReadonlyMap<string, string> = new Map([
  [idPrefixes.customer, 'customers'],
  [idPrefixes.owner, 'owners'],
  [idPrefixes.linked_account, 'linked-accounts'],
  [idPrefixes.account, 'accounts'],
  [idPrefixes.dispute, 'disputes'],
  [idPrefixes.bank_message, 'bank-messages'],
  [idPrefixes.return_request, 'return-requests'],
  [idPrefixes.notice, 'notices'],
  [idPrefixes.approval, 'approvals'],
]);
const withFace: readonly string[] = [idPrefixes.customer, idPrefixes.account, idPrefixes.dispute];

interface RecordProps {
  readonly id: string;
  /** Whose it is; null: of the platform. */
  readonly tenantId: string | null;
  /** Tenants that are known, by id. */
  readonly tenants: ReadonlyMap<string, string>;
}

/** A record of the audit: a case or Tenant as a link, anything else by its short id. */
export function AuditedRecord({ id, tenantId, tenants }: RecordProps) {
  const tenant = tenants.get(id);
  if (tenant !== undefined)
    return (
      <Anchor component={Link} size="sm" to="/tenants/$tenantId" params={{ tenantId: id } as never}>
        {tenant}
      </Anchor>
    );
  const [prefix = ''] = id.split('_', 1);
  const resource = cases.get(prefix);
  if (resource === undefined || tenantId === null || !id.includes('_'))
    return id.length > 20 ? <ShortId id={id} /> : id;
  return (
    <TenantProvider value={tenantId}>
      <Anchor
        component={Link}
        size="sm"
        title={id}
        to="/case/$tenantId/$resource/$id"
        params={{ tenantId, resource, id } as never}
      >
        {withFace.includes(prefix) ? <Name id={id} /> : `${id.slice(0, 4)}…${id.slice(-6)}`}
      </Anchor>
    </TenantProvider>
  );
}
