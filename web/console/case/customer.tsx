import { Skeleton, Stack, Text } from '@mantine/core';
import type { Customer as Shown } from '@tenant-payments/contract/resources/customers.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Facts } from '../../staff/parts/facts.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { capitalized } from '../desk/words.ts';
import { factsOf } from './facts.tsx';

interface CustomerProps {
  readonly id: string;
  /** Whether the customer's facts are shown too, which the case does not show itself. */
  readonly isWhole: boolean;
}

/** Parties that a customer has besides what the case lists. */
const parties: readonly string[] = ['owner', 'account'];

/** The customer whom a case is about, with the owners of a business. */
export function Customer({ id, isWhole }: CustomerProps) {
  const { data, error, refetch } = useRead('GET /portal/api/records/:id', { id });
  const related = data?.related.filter(({ resource }) => parties.includes(resource)) ?? [];
  return (
    <Section title="Customer">
      <RecordLink id={id} />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {isWhole && data?.resource === 'customer' && <Facts rows={factsOf(data.record as Shown)} />}
      {related.length > 0 && (
        <Stack gap={4}>
          {related.map(({ id: other, resource }) => (
            <Text key={other} size="sm" component="div">
              {`${capitalized(inWords(resource))} of `}
              <RecordLink id={other} />
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  );
}
