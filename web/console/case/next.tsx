import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { given } from '../../portal/api/address.ts';
import { useRead } from '../../portal/api/queries.ts';
import { useSession } from '../../portal/api/session.tsx';
import { desk, useDeskFilters } from '../desk/filters.tsx';

interface NextProps {
  readonly tenantId: string;
  readonly resource: string;
  readonly id: string;
}

/** The case below this one in the desk, with the desk's filters; after the last the first. */
export function Next({ tenantId, resource, id }: NextProps) {
  const { filters, asked } = useDeskFilters();
  const { person } = useSession();
  const { data } = useRead(desk, { ...asked, limit: 100 });
  const all = data?.data ?? [];
  const at = all.findIndex(
    (one) => one.tenant_id === tenantId && one.resource === resource && one.id === id,
  );
  const others = at < 0 ? all : [...all.slice(at + 1), ...all.slice(0, at)];
  const next = others.find(
    ({ assigned_to }) => assigned_to === null || assigned_to.id === person?.id,
  );
  if (!next)
    return (
      <Text size="sm" c="dimmed">
        {data && 'Nothing else waits for you'}
      </Text>
    );
  const params = { tenantId: next.tenant_id, resource: next.resource, id: next.id };
  return (
    <Button
      component={Link}
      variant="default"
      to="/case/$tenantId/$resource/$id"
      params={params as never}
      search={given(filters) as never}
    >
      Next in the desk
    </Button>
  );
}
