import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { usePages } from '../../staff/api/queries.ts';
import { useSession } from '../../staff/api/session.tsx';
import { desk, useDeskFilters } from '../desk/filters.ts';
import { ownKeys } from '../desk/move_keys.ts';
import { useKeys } from '../desk/use_keys.ts';
import { KeyHint } from './confirm.tsx';

interface NextProps {
  readonly tenantId: string;
  readonly resource: string;
  readonly id: string;
}

/** The case below this one in the desk, with the desk's filters; after the last the first. */
export function Next({ tenantId, resource, id }: NextProps) {
  const { values, asked } = useDeskFilters();
  const { person } = useSession();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages(desk, asked);
  const all = data?.pages.flatMap((page) => page.data) ?? [];
  const at = all.findIndex(
    (one) => one.tenant_id === tenantId && one.resource === resource && one.id === id,
  );
  const isFree = ({ assigned_to }: (typeof all)[number]) =>
    assigned_to === null || assigned_to.id === person?.id;
  const below = all.slice(at + 1).find(isFree);
  const goesOn = !below && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const way = useRef<HTMLAnchorElement>(null);
  useKeys({ [ownKeys.next]: () => way.current?.click() });
  const next = below ?? (hasNextPage ? undefined : all.slice(0, Math.max(at, 0)).find(isFree));
  if (!next)
    return (
      <Text size="sm" c="dimmed">
        {data && !hasNextPage && 'Nothing else waits for you'}
      </Text>
    );
  const params = { tenantId: next.tenant_id, resource: next.resource, id: next.id };
  return (
    <Button
      component={Link}
      ref={way}
      variant="default"
      aria-keyshortcuts={ownKeys.next}
      rightSection={<KeyHint text={ownKeys.next} />}
      to="/case/$tenantId/$resource/$id"
      params={params as never}
      search={values as never}
    >
      Next in the desk
    </Button>
  );
}
