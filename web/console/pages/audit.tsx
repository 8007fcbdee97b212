import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { askedOf, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { TenantProvider, usePages, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import {
  type Act,
  ActFacts,
  actorWords,
  namesIn,
  Only,
  Outcome,
  sentenceOf,
} from '../../staff/audit/act.tsx';
import { ActFilter, noneWords, PersonFilter } from '../../staff/audit/filters.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { FilterBar } from '../../staff/parts/filter_bar.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Download } from './audit/download.tsx';
import { ChainProof } from './audit/proof.tsx';
import { AuditedRecord } from './audit/record.tsx';

const list = 'GET /portal/api/audit';

const names = ['tenant', 'act', 'actor', 'record', 'outcome', 'from', 'to'] as const;
type Held = ReturnType<typeof useAddress<(typeof names)[number]>>;
const outcomes = [
  { value: '', label: 'Every outcome' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];
/** As the address names the chain of the platform. */
const platform = 'platform';

const useTenants = (): ReadonlyMap<string, string> =>
  new Map(
    (useRead('GET /portal/api/tenants', { limit: 100 }).data?.data ?? []).map(({ id, name }) => [
      id,
      name,
    ]),
  );

/** Who did what, of the platform and of each Tenant: all of it, or one chain. */
export function AuditPage() {
  const isAdmin = holds(useSession(), ['admin']);
  const [filters, set] = useAddress(names);
  const { tenant, ...rest } = filters;
  const one = tenant === platform ? ('platform' as const) : ('tenant' as const);
  const scope = tenant === '' ? ('all' as const) : one;
  const asked = { ...askedOf(rest), scope };
  return (
    <TenantProvider key={tenant} value={scope === 'tenant' ? tenant : null}>
      <PageTitle title="Audit" text="Who did what, from where, and what it changed.">
        {isAdmin && scope !== 'all' && <Download asked={asked} />}
      </PageTitle>
      {isAdmin ? (
        <>
          {scope === 'all' ? (
            <Text size="sm" c="dimmed">
              The platform and every tenant. Choose one to see the proof of its chain, and to
              download it.
            </Text>
          ) : (
            <ChainProof scope={one} />
          )}
          <Acts asked={asked as InputOf<typeof list>} filters={filters} set={set} />
        </>
      ) : (
        <Text>Only admins of the platform read the audit.</Text>
      )}
    </TenantProvider>
  );
}

interface ActsProps {
  readonly asked: InputOf<typeof list>;
  readonly filters: Held[0];
  readonly set: Held[1];
}

interface FiltersProps extends ActsProps {
  readonly tenants: ReadonlyMap<string, string>;
  readonly nameOf: (id: string) => string | null;
}

function Filters({ asked, filters, set, tenants, nameOf }: FiltersProps) {
  const { tenant } = filters;
  const isOther = tenant !== '' && tenant !== platform && !tenants.has(tenant);
  return (
    <FilterBar filters={filters} set={set}>
      <NativeSelect
        label="Whose acts"
        value={tenant}
        data={[
          { value: '', label: 'All' },
          { value: platform, label: 'The platform' },
          ...[...tenants].map(([value, label]) => ({ value, label })),
          ...(isOther ? [{ value: tenant, label: 'Another tenant' }] : []),
        ]}
        onChange={({ currentTarget }) => set({ tenant: currentTarget.value })}
      />
      <ActFilter value={filters.act} onChange={(act) => set({ act })} />
      <PersonFilter
        scope={asked.scope ?? 'all'}
        value={filters.actor}
        nameOf={nameOf}
        onChange={(actor) => set({ actor })}
      />
      <FilterText
        label="Record"
        placeholder="Id, or how it begins"
        value={filters.record}
        onChange={(record) => set({ record })}
      />
      <NativeSelect
        label="Outcome"
        value={filters.outcome}
        data={outcomes}
        onChange={({ currentTarget }) => set({ outcome: currentTarget.value })}
      />
    </FilterBar>
  );
}

function Acts(props: ActsProps) {
  const { asked, filters, set } = props;
  const tenants = useTenants();
  const pages = usePages(list, asked);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const [open, setOpen] = useState<Act | null>(null);
  const by = (id: string) => {
    const row = rows.find(({ actor }) => actor.id === id || actor.person_id === id);
    return row ? actorWords(row.actor) : null;
  };
  const columns = columnsFor(tenants, asked.scope === 'all');
  const { act, actor, record, outcome, from, to } = filters;
  const none = {
    act,
    record,
    by: actor === '' ? null : 'this person',
    isNarrowed: [from, to, outcome].some((one) => one !== ''),
  };
  const only = (change: Partial<Record<'act' | 'actor' | 'tenant', string>>) => {
    set(change);
    setOpen(null);
  };
  return (
    <Stack gap="md">
      <Filters {...props} tenants={tenants} nameOf={by} />
      <ListTable
        label="Acts"
        pages={pages}
        columns={columns}
        keyOf={({ tenant_id, number }) => `${tenant_id ?? ''} ${number}`}
        onOpen={setOpen}
        empty={<Text fw={600}>{noneWords(none)}</Text>}
      />
      <Detail title={open && sentenceOf(open)} onClose={() => setOpen(null)}>
        {open && (
          <ActFacts
            act={open}
            nameOf={namesIn(rows)}
            showRecord={(id) => (
              <AuditedRecord id={id} tenantId={open.tenant_id} tenants={tenants} />
            )}
          >
            <Group gap="md">
              <Only text="Only this act" onClick={() => only({ act: open.act })} />
              <Only
                text="Only by the same"
                onClick={() => only({ actor: open.actor.person_id ?? open.actor.id })}
              />
              <Only
                text="Only this chain"
                onClick={() => only({ tenant: open.tenant_id ?? platform })}
              />
            </Group>
          </ActFacts>
        )}
      </Detail>
    </Stack>
  );
}

const columnsFor = (
  tenants: ReadonlyMap<string, string>,
  isAll: boolean,
): readonly Column<Act>[] => [
  { name: 'Act', show: sentenceOf },
  { name: 'When', show: ({ at }) => <When at={at} isExact /> },
  { name: 'By', show: ({ actor }) => actorWords(actor) },
  ...(isAll
    ? [
        {
          name: 'Of',
          show: ({ tenant_id, tenant_name }: Act) =>
            tenant_id === null ? 'The platform' : (tenant_name ?? 'A tenant'),
        },
      ]
    : []),
  {
    name: 'Record',
    show: ({ record, tenant_id }) =>
      record && <AuditedRecord id={record} tenantId={tenant_id} tenants={tenants} />,
  },
  { name: 'Outcome', show: (act) => <Outcome act={act} /> },
];
