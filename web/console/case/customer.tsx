import { Skeleton } from '@mantine/core';
import type { Customer as Shown } from '@tenant-payments/contract/resources/customers.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Facts } from '../../staff/parts/facts.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { factsOf } from './facts.tsx';

/** The customer whom a case is about. */
export function Customer({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/records/:id', { id });
  return (
    <Section title="Customer">
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data?.resource === 'customer' && <Facts rows={factsOf(data.record as Shown)} />}
    </Section>
  );
}
