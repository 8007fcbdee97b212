import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { call } from '../../staff/api/call.ts';
import { TenantProvider } from '../../staff/api/queries.ts';
import { together } from '../../staff/api/together.ts';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';

const route = 'GET /portal/api/tenants';

const nameOf = together<string>(maximumFaces, async (_, ids) => {
  const { data } = await call(route, { ids: ids.join(','), limit: maximumFaces });
  return new Map(data.map(({ id, name }) => [id, name]));
});

/** The name of a Tenant by its id; null while it is read, and of what is none. */
export function useTenantName(id: string | null): string | null {
  const { data } = useQuery({
    queryKey: ['tenant name', id],
    queryFn: () => (id === null ? null : nameOf(null, id)),
    enabled: id !== null,
  });
  return data ?? null;
}

interface TenantLinkProps {
  readonly id: string;
  readonly name: string;
}

/** The way to a Tenant's page. */
export const TenantLink = ({ id, name }: TenantLinkProps) => (
  <Anchor
    component={Link}
    to="/tenants/$tenantId"
    params={{ tenantId: id } as never}
    size="sm"
    title={id}
  >
    {name}
  </Anchor>
);

interface RecordOfProps {
  /** Null: of the platform, whose records have no page. */
  readonly tenantId: string | null;
  readonly id: string;
}

/** A record of whichever Tenant, on a page about all of them. */
export const RecordOf = ({ tenantId, id }: RecordOfProps) =>
  tenantId === null ? (
    <ShortId id={id} />
  ) : (
    <TenantProvider value={tenantId}>
      <RecordLink id={id} isBare />
    </TenantProvider>
  );
