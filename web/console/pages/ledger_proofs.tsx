import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { type ItemOf, TenantProvider, usePages } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { counted } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { Proof } from '../../staff/tenant/ledger_proof.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Paged } from '../money/paged.tsx';
import { TenantLink } from '../tenants/links.tsx';
import { DayStrip, DayTable } from './ledger_proofs/days.tsx';
import { History } from './ledger_proofs/history.tsx';

const list = 'GET /portal/api/ledger-proofs';
type Row = ItemOf<typeof list>;

const columns = ['Tenant', 'Last proof', 'Result', 'Last 30 days'];

/** The findings of each ledger's proofs. */
export function LedgerProofs() {
  const pages = usePages(list, {});
  const rows = pages.data?.pages.flatMap((page) => page.data) ?? [];
  const [opened, setOpened] = useState<string | null>(null);
  const open = rows.find(({ tenant_id }) => tenant_id === opened) ?? null;
  return (
    <>
      <PageTitle
        title="Ledger proofs"
        text="Each ledger is proven against every invariant at 04:00 Eastern Time. Proofs are kept for 400 days."
      />
      <Paged
        label="Tenants"
        pages={pages}
        columns={columns}
        hasActions
        empty="No tenants yet"
        row={(row) => (
          <TenantRow key={row.tenant_id} row={row} onOpen={() => setOpened(row.tenant_id)} />
        )}
      />
      <Detail
        title={open && `Proofs of ${isolated(open.tenant_name)}`}
        onClose={() => {
          setOpened(null);
          void pages.refetch();
        }}
      >
        {open && (
          <TenantProvider key={open.tenant_id} value={open.tenant_id}>
            <Proof />
            <History />
            <DayTable days={open.days} />
          </TenantProvider>
        )}
      </Detail>
    </>
  );
}

interface RowProps {
  readonly row: Row;
  readonly onOpen: () => void;
}

const TenantRow = ({ row: { tenant_id, tenant_name, last, days }, onOpen }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <TenantLink id={tenant_id} name={tenant_name} />
    </Table.Td>
    <Table.Td>
      <When at={last?.at ?? null} />
    </Table.Td>
    <Table.Td>
      <Result last={last} />
    </Table.Td>
    <Table.Td>
      <DayStrip days={days} />
    </Table.Td>
    <Table.Td>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Proofs of ${tenant_name}`}
        onClick={onOpen}
      >
        History, prove now
      </Button>
    </Table.Td>
  </Table.Tr>
);

function Result({ last }: { readonly last: Row['last'] }) {
  if (last === null) return <Mark tone="plain" text="not proven yet" />;
  return last.ok ? (
    <Mark
      tone="good"
      text={last.violations.length > 0 ? `ok, ${last.violations.length} acknowledged` : 'ok'}
    />
  ) : (
    <Mark tone="bad" text={counted(last.found, 'violation')} />
  );
}
