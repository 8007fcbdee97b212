import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { call } from '../../staff/api/call.ts';
import { together } from '../../staff/api/together.ts';

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
