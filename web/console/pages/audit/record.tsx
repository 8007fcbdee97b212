import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { idPrefixes, isUuid } from '@tenant-payments/contract/core/ids.ts';
import { TenantProvider } from '../../../staff/api/queries.ts';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { ShortId } from '../../../staff/parts/short_id.tsx';
import { TenantLink, useTenantName } from '../../tenants/links.tsx';

/** The resources of cases whose records have no page of their own, by the prefix of their ids. */
const cases: ReadonlyMap<string, string> = new Map([
  [idPrefixes.bank_message, 'bank-messages'],
  [idPrefixes.return_request, 'return-requests'],
  [idPrefixes.notice, 'notices'],
  [idPrefixes.approval, 'approvals'],
]);

interface RecordProps {
  readonly id: string;
  /** The Tenant of the record; null: it is the platform's. */
  readonly tenantId: string | null;
  /** Without the id behind its face. */
  readonly isBare?: true;
}

/** A record of the audit as a link: a Tenant, a case or a record by its face; anything else by its short id. */
export function AuditedRecord({ id, tenantId, isBare }: RecordProps) {
  const tenant = useTenantName(isUuid(id) ? id : null);
  if (tenant !== null) return <TenantLink id={id} name={tenant} />;
  const resource = cases.get(id.split('_', 1)[0] ?? '');
  if (tenantId === null) return id.length > 20 ? <ShortId id={id} /> : id;
  if (resource !== undefined && id.includes('_'))
    return (
      <Anchor
        component={Link}
        size="sm"
        title={id}
        to="/case/$tenantId/$resource/$id"
        params={{ tenantId, resource, id } as never}
      >
        {shortened(id)}
      </Anchor>
    );
  return (
    <TenantProvider value={tenantId}>
      <RecordLink id={id} {...(isBare && { isBare })} />
    </TenantProvider>
  );
}
