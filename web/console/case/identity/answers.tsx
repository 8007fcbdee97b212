import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { OpenedIdentity } from '@tenant-payments/backoffice/contract/operate/identity.ts';
import { useState } from 'react';
import { useCall } from '../../../staff/api/queries.ts';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { dayInWords } from '../../../ui/dates.ts';
import { type TaxKind, taxName, taxNumberInWords } from './words.ts';

const rowsOf = (opened: OpenedIdentity, kind: TaxKind | null) => {
  const { name, birth_date, tax_number, address } = opened;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Name', name],
    ['Born', birth_date && dayInWords(birth_date, 'en')],
    [taxName(kind), tax_number && taxNumberInWords(kind, tax_number)],
    ['Address', address],
  ];
  return rows.filter(([, value]) => value !== null);
};

interface AnswersProps {
  readonly resource: 'customers' | 'owners';
  readonly id: string;
  readonly taxKind: TaxKind | null;
}

/**
 * The answers of the identity check: opened on demand, held by this page alone, and gone with it.
 */
export function Answers({ resource, id, taxKind }: AnswersProps) {
  const [opened, setOpened] = useState<OpenedIdentity | null>(null);
  const ask = useCall();
  const proven = useProven();
  const open = useMutation({
    mutationFn: () =>
      proven(() => ask('POST /portal/api/identity/:resource/:id/open', { resource, id })),
    onSuccess: setOpened,
    gcTime: 0,
  });
  return (
    <section aria-label="Answers">
      <Group gap="sm" mb="xs">
        <Text size="sm" fw={600}>
          Answers
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          loading={open.isPending}
          onClick={() => (opened ? setOpened(null) : open.mutate())}
        >
          {opened ? 'Hide the answers' : 'Show the answers'}
        </Button>
      </Group>
      {open.error && <Trouble error={open.error} />}
      {opened && (
        <div className="lines">
          <Facts rows={rowsOf(opened, taxKind)} />
        </div>
      )}
    </section>
  );
}
