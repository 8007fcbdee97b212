import { Anchor, Skeleton, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { UnmatchedMoneyDetail } from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { TenantProvider, useRead } from '../../staff/api/queries.ts';
import { TenantClock } from '../../staff/parts/clock.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { isolated } from '../../ui/isolated.ts';
import { factsOf } from '../case/facts.tsx';
import { titleOf } from '../desk/what.ts';
import { Proposals } from '../money/proposals.tsx';
import { receivedFacts } from '../money/received.tsx';
import { Reversal } from '../money/reversal.tsx';
import { ByHand } from '../money/search_account.tsx';
import { useBegun } from '../money/use_begun.tsx';

const everyMs = 15_000;

/** One sum of unmatched money: whose it may be, and what is done with it. */
export function UnmatchedItem() {
  const { tenantId, id } = useParams({ strict: false }) as Record<'tenantId' | 'id', string>;
  return (
    <>
      <Anchor component={Link} to="/money/unmatched" size="sm">
        Back to unmatched money
      </Anchor>
      <TenantProvider value={tenantId}>
        <TenantClock>
          <Read key={id} id={id} />
        </TenantClock>
      </TenantProvider>
    </>
  );
}

function Read({ id }: { readonly id: string }) {
  const route = 'GET /portal/api/unmatched-money/:id';
  const { data, error, refetch } = useRead(route, { id }, everyMs);
  return (
    <Stack gap="lg" mt="md">
      <PageTitle
        title={data ? titleOf(data.record) : 'Unmatched money'}
        {...(data && { text: `Unmatched money of ${isolated(data.tenant_name)}` })}
      >
        {data && <StateBadge state={data.record.status} />}
      </PageTitle>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} role="status" aria-label="Loading the money" />}
      {data && <Parts detail={data} />}
    </Stack>
  );
}

function Parts({ detail }: { readonly detail: UnmatchedMoneyDetail }) {
  const { record, tenant_id, references } = detail;
  const { begin, dialog, ended } = useBegun();
  const subject = { tenant_id, resource: 'suspense', id: record.id };
  const match = (account_id: string) =>
    begin({
      subject,
      option: { move: 'match', required: ['account_id'] },
      given: { account_id },
    });
  return (
    <>
      {ended}
      {record.status === 'held' ? (
        <>
          <Proposals proposals={detail.proposals} onMatch={match} />
          <ByHand
            onMatch={match}
            onReturn={() => begin({ subject, option: { move: 'return', required: [] } })}
          />
        </>
      ) : (
        <Reversal detail={detail} />
      )}
      <Section title="Facts">
        <Facts
          rows={[
            ...factsOf(record),
            ...(detail.received
              ? receivedFacts(detail.received)
              : ([["Bank's reference", references.join(', ') || 'Not given']] as const)),
          ]}
        />
      </Section>
      {dialog}
    </>
  );
}
