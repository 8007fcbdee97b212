import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

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
