import { Select, Text } from '@mantine/core';
import { askedOf, useAddress } from '../../staff/api/address.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { FilterBar } from '../../staff/parts/filter_bar.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { Proof } from '../../staff/tenant/ledger_proof.tsx';

type Entry = ItemOf<'GET /portal/api/ledger/entries'>;

const pockets = [
  'available',
  'pending_outgoing',
  'earmarked',
  'cash',
  'fees_platform',
  'fees_tenant',
  'reserve',
  'suspense',
  'sweep_in_transit',
  'top_up_in_transit',
  'return_in_transit',
] as const satisfies readonly Exclude<Filters['pocket'], undefined>[];
type Filters = Parameters<typeof usePages<'GET /portal/api/ledger/entries'>>[1];

const balance = (cents: number | null) => (cents === null ? '' : <Cents value={cents} />);

const columns: readonly Column<Entry>[] = [
  { name: 'Posted', kind: 'time', show: ({ created_at }) => <When at={created_at} />, width: 150 },
  { name: 'Recipe', show: ({ step }) => inWords(step) },
  {
    name: 'Account',
    show: ({ account_id }) => (account_id ? <RecordLink id={account_id} isBare /> : 'tenant'),
  },
  { name: 'Pocket', show: ({ pocket }) => inWords(pocket), priority: 3 },
  { name: 'Change', kind: 'money', show: ({ delta }) => <Cents value={delta} />, align: 'right' },
  {
    name: 'Pocket after',
    show: ({ balance_after }) => balance(balance_after),
    align: 'right',
    kind: 'money',
    priority: 2,
  },
  {
    name: 'Balance after',
    show: ({ ledger_after }) => balance(ledger_after),
    align: 'right',
    kind: 'money',
    priority: 2,
  },
  { name: 'For', show: ({ source_id }) => <RecordLink id={source_id} isBare /> },
];

const names = ['account_id', 'source_id', 'pocket', 'from', 'to'] as const;

/** The Tenant's entries, filtered by what the address holds, and the proof that all are right. */
export function Ledger() {
  const [filters, set] = useAddress(names);
  const asked = askedOf(filters) as Filters;
  const pages = usePages('GET /portal/api/ledger/entries', asked);
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <>
      <PageTitle title="Ledger" text="Every entry, newest first. Each movement sums to zero." />
      <Proof />
      <FilterBar filters={filters} set={set}>
        <FilterText
          label="Account"
          placeholder="acct_…"
          value={filters.account_id}
          onChange={(account_id) => set({ account_id })}
        />
        <FilterText
          label="Record"
          placeholder="pay_…"
          value={filters.source_id}
          onChange={(source_id) => set({ source_id })}
        />
        <Select
          label="Pocket"
          clearable
          placeholder="All"
          data={pockets.map((value) => ({ value, label: inWords(value) }))}
          value={filters.pocket === '' ? null : filters.pocket}
          onChange={(pocket) => set({ pocket: pocket ?? '' })}
        />
      </FilterBar>
      <ListTable
        label="Entries"
        pages={pages}
        columns={columns}
        keyOf={({ id, pocket, step }) => `${id} ${pocket} ${step}`}
        empty={isFiltered ? <NoneFound /> : <None />}
      />
    </>
  );
}

const None = () => (
  <>
    <Text fw={600}>No entries yet</Text>
    <Text size="sm" c="dimmed">
      The first money that moves writes the first entries.
    </Text>
  </>
);

const NoneFound = () => (
  <>
    <Text fw={600}>No such entries</Text>
    <Text size="sm" c="dimmed">
      Nothing was posted that fits all of these filters.
    </Text>
  </>
);
