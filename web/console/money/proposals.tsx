import { Button, Group, List, Stack, Text } from '@mantine/core';
import type { MatchProposal } from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { reasonInWords } from './reasons.ts';

interface ProposalsProps {
  readonly proposals: readonly MatchProposal[];
  readonly onMatch: (accountId: string) => void;
}

/** The accounts that the money may belong to, each with why. */
export const Proposals = ({ proposals, onMatch }: ProposalsProps) => (
  <Section
    title="Suggested matches"
    text="The likeliest first. Nothing is matched by itself: compare the reasons with the bank's message."
  >
    {proposals.length === 0 && (
      <Text size="sm">No record fits. Look for the account by hand, or return the money.</Text>
    )}
    <Stack gap="sm" component="ol" className="plain-list" aria-label="Proposals">
      {proposals.map((proposal) => (
        <Proposal key={proposal.account_id} proposal={proposal} onMatch={onMatch} />
      ))}
    </Stack>
  </Section>
);

interface ProposalProps extends Pick<ProposalsProps, 'onMatch'> {
  readonly proposal: MatchProposal;
}

function Proposal({ proposal, onMatch }: ProposalProps) {
  const { account_id, account_status, customer, reasons } = proposal;
  const name = customer ?? 'An erased customer';
  const isClosed = account_status === 'closed';
  return (
    <li className="card">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} className="shrinks">
          <Group gap="xs">
            <Text fw={600} className="breaks">
              {name}
            </Text>
            {account_status !== 'active' && <Mark tone="warning" text={account_status} />}
          </Group>
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              Account
            </Text>
            <RecordLink id={account_id} />
          </Group>
          <List size="sm">
            {reasons.map((reason) => (
              <List.Item key={reason.reason}>{reasonInWords(reason)}</List.Item>
            ))}
          </List>
          {isClosed && <Text size="sm">A closed account takes no money.</Text>}
        </Stack>
        <Button
          size="compact-md"
          disabled={isClosed}
          aria-label={`Match to ${name}`}
          onClick={() => onMatch(account_id)}
        >
          Match
        </Button>
      </Group>
    </li>
  );
}
