import { Anchor, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MadeAdjustment } from '@tenant-payments/backoffice/contract/money/adjustments.ts';
import { useEffect, useState } from 'react';
import { given, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { TenantProvider, usePages } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark, type Tone } from '../../staff/parts/state_badge.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Paged } from '../money/paged.tsx';
import { AccountSearch } from '../money/search_account.tsx';
import { useBegun } from '../money/use_begun.tsx';
import { TenantFilter } from '../tenants/tenant_filter.tsx';

const list = 'GET /portal/api/adjustments';

const marks: Readonly<Record<MadeAdjustment['status'], readonly [Tone, string]>> = {
  made: ['good', 'made'],
  waiting: ['warning', 'waits for approval'],
  refused: ['bad', 'refused'],
  lapsed: ['plain', 'lapsed'],
};

const states = [
  { value: '', label: 'All' },
  ...Object.entries(marks).map(([value, [, label]]) => ({ value, label })),
];

/** The people of an adjustment: who asked, and who approved or refused. */
const people = ({ asked_by, decided_by, status }: MadeAdjustment): string => {
  if (decided_by !== null)
    return `${isolated(asked_by)}; ${status === 'refused' ? 'refused' : 'approved'} by ${isolated(decided_by ?? '')}`;
  return status === 'made' ? `${isolated(asked_by)}, alone` : asked_by;
};

function Row({ adjustment }: { readonly adjustment: MadeAdjustment }) {
  const { status, tenant_id, approval_id, account_id } = adjustment;
  const [tone, text] = marks[status];
  return (
    <Table.Tr>
      <Table.Td>
        <When at={adjustment.created_at} />
        {approval_id && (
          <div>
            <Anchor
              component={Link}
              to="/case/$tenantId/$resource/$id"
              params={{ tenantId: tenant_id, resource: 'approvals', id: approval_id } as never}
              size="sm"
            >
              The request
            </Anchor>
          </div>
        )}
      </Table.Td>
      <Table.Td>
        <Mark tone={tone} text={text} />
      </Table.Td>
      <Table.Td ta="right">
        <Cents value={adjustment.amount} />
      </Table.Td>
      <Table.Td>
        <TenantProvider value={tenant_id}>
          <RecordLink id={account_id} />
        </TenantProvider>
        <Text size="xs" c="dimmed">
          {adjustment.tenant_name}
        </Text>
      </Table.Td>
      <Table.Td>{people(adjustment)}</Table.Td>
      <Table.Td className="note">
        {adjustment.reason ?? 'Not given'}
        {adjustment.decision_note && (
          <Text size="xs" c="dimmed">
            {adjustment.decision_note}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

const adjustOf = (tenant_id: string, id: string, amount: string) => ({
  subject: { tenant_id, resource: 'accounts', id },
  option: { move: 'adjust', required: ['amount', 'note'] },
  given: { amount },
});

interface NewProps {
  readonly tenantId: string;
  /** The record whose account is looked for from the start. */
  readonly find: string;
  readonly onTenant: (id: string) => void;
  readonly onAccount: (id: string) => void;
}

/** Finds the account that is adjusted. */
const NewAdjustment = ({ tenantId, find, onTenant, onAccount }: NewProps) => (
  <Section
    title="New adjustment"
    text="Choose the tenant, then the account. Amount and reason come next, with what it would do."
  >
    <Group>
      <TenantFilter none="Choose a tenant" value={tenantId} onChange={onTenant} />
    </Group>
    {tenantId !== '' && (
      <TenantProvider value={tenantId}>
        <AccountSearch verb="Adjust" tenantId={tenantId} find={find} onChoose={onAccount} />
      </TenantProvider>
    )}
  </Section>
);

/** Adjustments that were made or asked for, and a new one. */
export function Adjustments() {
  const [address, set] = useAddress(['tenant_id', 'status', 'account_id', 'amount', 'find']);
  const { tenant_id, status, account_id, amount, find } = address;
  const isGiven = tenant_id !== '' && account_id !== '';
  const { begin, dialog, ended } = useBegun(
    isGiven ? adjustOf(tenant_id, account_id, amount) : null,
  );
  const [isNew, setNew] = useState(isGiven || amount !== '');
  // A page that is read again must not begin the same adjustment, so the given values are forgotten.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the page was opened with
  useEffect(() => {
    if (isGiven) set({ account_id: '', amount: '' });
  }, []);
  const pages = usePages(list, given({ tenant_id, status }) as InputOf<typeof list>);
  return (
    <>
      <PageTitle
        title="Adjustments"
        text="A correction of an account's balance, paid by the reserve or to it."
      >
        <Button onClick={() => setNew(true)}>New adjustment</Button>
      </PageTitle>
      <Stack gap="xl">
        {ended}
        {isNew && (
          <NewAdjustment
            tenantId={tenant_id}
            find={find}
            onTenant={(id) => set({ tenant_id: id, account_id: '', amount: '', find: '' })}
            onAccount={(id) => begin(adjustOf(tenant_id, id, amount))}
          />
        )}
        <Section title="Posted and requested">
          <Group gap="sm" align="flex-end" role="search" aria-label="Filters">
            {!isNew && <TenantFilter value={tenant_id} onChange={(id) => set({ tenant_id: id })} />}
            <NativeSelect
              label="State"
              value={status}
              data={states}
              onChange={({ currentTarget }) => set({ status: currentTarget.value })}
            />
          </Group>
          <Paged
            label="Adjustments"
            pages={pages}
            columns={['When', 'State', 'Amount', 'Account', 'By', 'Why']}
            right={['Amount']}
            empty="No adjustment was made or asked for."
            row={(adjustment) => <Row key={adjustment.id} adjustment={adjustment} />}
          />
        </Section>
      </Stack>
      {dialog}
    </>
  );
}
