import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UnmatchedMoneyDetail } from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { money } from '../../ui/money.ts';

/** How a match is corrected: by a second entry, and in no other way. */
export function Reversal({ detail }: { readonly detail: UnmatchedMoneyDetail }) {
  const { record, credited_account_id: account_id, tenant_id } = detail;
  if (account_id === null)
    return (
      <Section title="Returned">
        <Text size="sm">
          The money was booked as sent back to the bank. If it comes again, it is unmatched money
          again.
        </Text>
      </Section>
    );
  const amount = (-record.amount / 100).toFixed(2);
  return (
    <Section title="If the match was wrong">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" maw={680}>
          A match is never undone. A second entry corrects it: an adjustment takes{' '}
          {money(record.amount, 'en')} from the account into the tenant's reserve, as far as it is
          still available. A further adjustment then credits the right account.
        </Text>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            Account
          </Text>
          <RecordLink id={account_id} />
        </Group>
        <Button
          component={Link}
          variant="default"
          to="/money/adjustments"
          search={{ tenant_id, account_id, amount } as never}
        >
          Take it back by an adjustment
        </Button>
      </Stack>
    </Section>
  );
}
