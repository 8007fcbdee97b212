import { Text } from '@mantine/core';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { choicesOf, type FilterField, tenantTimes } from '../../staff/parts/filter_fields.ts';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { useList } from '../../staff/parts/use_list.tsx';
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

const fields: readonly FilterField[] = [
  { name: 'account_id', label: 'Account', kind: 'text', placeholder: 'acct_…' },
  { name: 'source_id', label: 'Record', kind: 'text', placeholder: 'pay_…' },
  { name: 'pocket', label: 'Pocket', kind: 'choice', choices: choicesOf(pockets, inWords) },
  ...tenantTimes,
];

const route = 'GET /portal/api/ledger/entries';

/** The Tenant's entries, filtered by what the address holds, and the proof that all are right. */
export function Ledger() {
  const list = useList<Entry>({ name: 'ledger', fields, columns, canTurn: true, file: route });
  const pages = usePages(route, list.asked as Filters);
  return (
    <>
      <PageTitle title="Ledger" text="Every entry. Each movement sums to zero.">
        {list.tools}
      </PageTitle>
      <Proof />
      {list.filters()}
      <ListTable
        label="Entries"
        pages={pages}
        {...list.table}
        keyOf={({ id, pocket, step }) => `${id} ${pocket} ${step}`}
        empty={list.isFiltered ? <NoneFound /> : <None />}
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
    <Text fw={600}>No entries match these filters</Text>
    <Text size="sm" c="dimmed">
      Take a filter out to see more.
    </Text>
  </>
);
