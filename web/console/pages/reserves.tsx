import { Alert, Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Reserve } from '@tenant-payments/backoffice/contract/money/own_accounts.ts';
import { usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RowButton } from '../../staff/parts/plain_table.tsx';
import { counted } from '../../staff/parts/tell.ts';
import { money } from '../../ui/money.ts';
import { Paged } from '../money/paged.tsx';
import { useBegun } from '../money/use_begun.tsx';

/** The move that funds a Tenant's reserve. */
export const fundOf = (tenant_id: string) => ({
  subject: { tenant_id, resource: 'reserve', id: 'reserve' },
  option: { move: 'fund', required: ['amount', 'note'] },
});

/** Whether a reserve holds what it should, in words. */
export function Standing({ reserve: { balance, short } }: { readonly reserve: Reserve }) {
  if (short === 0) return <Text size="sm">Enough</Text>;
  const lacks = `${money(short, 'en')} below its floor`;
  return (
    <Text size="sm" className="is-late">
      {balance < 0 ? `Below zero, ${lacks}` : lacks}
    </Text>
  );
}

/** The open disputes behind a floor. */
export const disputesOf = ({ open_disputes, unknown_disputes }: Reserve): string =>
  unknown_disputes === 0
    ? counted(open_disputes, 'open dispute')
    : `${counted(open_disputes, 'open dispute')}, ${unknown_disputes} of unknown amount`;

interface RowProps {
  readonly reserve: Reserve;
  /** Null: whoever looks may not. */
  readonly onFund: (() => void) | null;
}

const Row = ({ reserve, onFund }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Anchor
        component={Link}
        to="/money/reserves/$tenantId"
        params={{ tenantId: reserve.tenant_id } as never}
        size="sm"
      >
        {reserve.tenant_name}
      </Anchor>
    </Table.Td>
    <Table.Td ta="right">
      <Cents value={reserve.balance} />
    </Table.Td>
    <Table.Td ta="right">
      <Cents value={reserve.floor} />
    </Table.Td>
    <Table.Td>
      <Standing reserve={reserve} />
    </Table.Td>
    <Table.Td>{disputesOf(reserve)}</Table.Td>
    <Table.Td ta="right">
      {onFund && (
        <RowButton
          text="Fund"
          label={`Fund the reserve of ${reserve.tenant_name}`}
          isBusy={false}
          onClick={onFund}
        />
      )}
    </Table.Td>
  </Table.Tr>
);

/** The reserves of all Tenants beside what their open disputes may cost. */
export function Reserves() {
  const pages = usePages('GET /portal/api/reserves', {});
  const isReviewer = holds(useSession(), ['reviewer']);
  const { begin, dialog, ended } = useBegun();
  const short =
    pages.data?.pages.flatMap(({ data }) => data).filter((one) => one.short > 0).length ?? 0;
  return (
    <>
      <PageTitle
        title="Reserves"
        text="The platform's money that pays the credits of disputes. The floor is what the open disputes may still cost."
      />
      <Stack gap="md">
        {ended}
        {short > 0 && (
          <Alert color="red" role="alert">
            {short === 1
              ? '1 reserve is below its floor. Fund it: credits are paid all the same.'
              : `${short} reserves are below their floors. Fund them: credits are paid all the same.`}
          </Alert>
        )}
        <Paged
          label="Reserves"
          pages={pages}
          columns={['Tenant', 'Balance', 'Floor', 'Standing', 'Disputes', 'Fund']}
          right={['Balance', 'Floor', 'Fund']}
          empty="There is no tenant yet."
          row={(reserve) => (
            <Row
              key={reserve.tenant_id}
              reserve={reserve}
              onFund={isReviewer ? () => begin(fundOf(reserve.tenant_id)) : null}
            />
          )}
        />
      </Stack>
      {dialog}
    </>
  );
}
