import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { askedOf, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { TenantProvider, usePages, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { type Act, ActFacts, type NameActor, nameActors, Outcome } from '../../staff/parts/act.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { FilterBar } from '../../staff/parts/filter_bar.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Download } from './audit/download.tsx';
import { ChainProof } from './audit/proof.tsx';

const list = 'GET /portal/api/audit';

const names = ['tenant', 'act', 'actor', 'record', 'outcome', 'from', 'to'] as const;
const outcomes = [
  { value: '', label: 'Every outcome' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];

/** Who did what, of the platform and of each Tenant. */
export function AuditPage() {
  const isAdmin = holds(useSession(), ['admin']);
  const [filters, set] = useAddress(names);
  const { tenant, ...rest } = filters;
  const scope = tenant === '' ? 'platform' : 'tenant';
  const asked = { ...askedOf(rest), scope };
  return (
    <TenantProvider key={tenant} value={tenant === '' ? null : tenant}>
      <PageTitle title="Audit" text="Who did what, from where, and what it changed.">
        {isAdmin && <Download asked={asked} />}
      </PageTitle>
      {isAdmin ? (
        <>
          <ChainProof scope={scope} />
          <Filters filters={filters} set={set} />
          <Acts asked={asked as InputOf<typeof list>} />
        </>
      ) : (
        <Text>Only admins of the platform read the audit.</Text>
      )}
    </TenantProvider>
  );
}

type Held = ReturnType<typeof useAddress<(typeof names)[number]>>;

interface FiltersProps {
  readonly filters: Held[0];
  readonly set: Held[1];
}

function Filters({ filters, set }: FiltersProps) {
  const tenants = useRead('GET /portal/api/tenants', { limit: 100 }).data?.data ?? [];
  const known = tenants.some(({ id }) => id === filters.tenant);
  return (
    <FilterBar filters={filters} set={set}>
      <NativeSelect
        label="Whose acts"
        value={filters.tenant}
        data={[
          { value: '', label: 'The platform' },
          ...tenants.map(({ id, name }) => ({ value: id, label: name })),
          ...(filters.tenant === '' || known
            ? []
            : [{ value: filters.tenant, label: filters.tenant }]),
        ]}
        onChange={({ currentTarget }) => set({ tenant: currentTarget.value })}
      />
      <NativeSelect
        label="Outcome"
        value={filters.outcome}
        data={outcomes}
        onChange={({ currentTarget }) => set({ outcome: currentTarget.value })}
      />
      <FilterText
        label="Act"
        placeholder="putSettings"
        value={filters.act}
        onChange={(act) => set({ act })}
      />
      <FilterText
        label="By"
        placeholder="Id of a person, key or client"
        value={filters.actor}
        onChange={(actor) => set({ actor })}
      />
      <FilterText
        label="Record"
        placeholder="Any id"
        value={filters.record}
        onChange={(record) => set({ record })}
      />
    </FilterBar>
  );
}

const useActors = (): NameActor =>
  nameActors(useRead('GET /portal/api/staff', {}).data?.data ?? []);

function Acts({ asked }: { readonly asked: InputOf<typeof list> }) {
  const pages = usePages(list, asked);
  const actorOf = useActors();
  const [open, setOpen] = useState<Act | null>(null);
  const columns: readonly Column<Act>[] = [
    { name: 'Act', show: ({ act }) => act },
    { name: 'Outcome', kind: 'state', show: (act) => <Outcome act={act} /> },
    { name: 'By', show: actorOf },
    { name: 'Record', show: ({ record }) => record },
    { name: 'At', kind: 'time', show: ({ at }) => <When at={at} /> },
  ];
  return (
    <Stack gap="md">
      <ListTable
        label="Acts"
        pages={pages}
        columns={columns}
        keyOf={({ number }) => String(number)}
        onOpen={setOpen}
        empty={<Text fw={600}>No such acts</Text>}
      />
      <Detail title={open && `${open.act} (number ${open.number})`} onClose={() => setOpen(null)}>
        {open && <ActFacts act={open} by={actorOf(open)} record={open.record ?? 'none'} />}
      </Detail>
    </Stack>
  );
}
