import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { TenantProvider, usePages } from '../../staff/api/queries.ts';
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
import { auditFields, auditNames, noneWords } from '../../staff/audit/filters.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import type { Values } from '../../staff/parts/filter_fields.ts';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';
import { useTenantName } from '../tenants/links.tsx';
import { tenantField } from '../tenants/tenant_filter.tsx';
import { ChainProof } from './audit/proof.tsx';
import { AuditedRecord } from './audit/record.tsx';

const route = 'GET /portal/api/audit';

/** The platform's chain, as the address names it. */
const platform = { id: 'platform', name: 'The platform' };
const chain = tenantField('tenant', [platform]);

/** The audit of the platform and of each Tenant: who did what, in all chains or in one. */
export function AuditPage() {
  const isAdmin = holds(useSession(), ['admin']);
  const [{ tenant }] = useAddress(['tenant']);
  if (!isAdmin)
    return (
      <>
        <PageTitle title={title} text={text} />
        <Text>Only admins of the platform read the audit.</Text>
      </>
    );
  const one = tenant === platform.id ? ('platform' as const) : ('tenant' as const);
  const scope = tenant === '' ? ('all' as const) : one;
  return (
    <TenantProvider key={tenant} value={scope === 'tenant' ? tenant : null}>
      <Acts scope={scope} />
    </TenantProvider>
  );
}

const title = 'Audit';
const text = 'Who did what, from where, and what it changed.';

function Acts({ scope }: { readonly scope: 'all' | 'platform' | 'tenant' }) {
  const list = useList<Act>({
    name: 'audit',
    fields: [chain, ...auditFields(scope)],
    columns: scope === 'all' ? columnsOfAll : columns,
    canTurn: true,
    file: route,
    toAsk: ({ tenant: _, ...rest }) => ({ ...rest, scope }),
  });
  const { values, set } = list;
  const pages = usePages(route, list.asked as InputOf<typeof route>);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const [open, setOpen] = useState<Act | null>(null);
  const only = (change: Values) => {
    set(change);
    setOpen(null);
  };
  const { tenant = '' } = values;
  const name = useTenantName(scope === 'tenant' ? tenant : null);
  return (
    <>
      <PageTitle title={title} text={text}>
        {list.tools}
      </PageTitle>
      {scope === 'all' ? (
        <Text size="sm" c="dimmed">
          The platform and every tenant. Choose one to see the proof of its chain.
        </Text>
      ) : (
        <ChainProof scope={scope} />
      )}
      {list.filters({
        ...auditNames(values, rows),
        tenant: scope === 'platform' ? platform.name : name,
      })}
      <ListTable
        label="Acts"
        pages={pages}
        {...list.table}
        keyOf={({ tenant_id, number }) => `${tenant_id ?? ''} ${number}`}
        onOpen={setOpen}
        empty={<Text fw={600}>{noneWords(values)}</Text>}
      />
      <Detail title={open && sentenceOf(open)} onClose={() => setOpen(null)}>
        {open && (
          <ActFacts
            act={open}
            nameOf={namesIn(rows)}
            showRecord={(id) => <AuditedRecord id={id} tenantId={open.tenant_id} />}
          >
            <Group gap="md">
              <Only text="Only this act" onClick={() => only({ act: open.act })} />
              <Only
                text="Only by the same"
                onClick={() => only({ actor: open.actor.person_id ?? open.actor.id })}
              />
              <Only
                text="Only this chain"
                onClick={() => only({ tenant: open.tenant_id ?? platform.id })}
              />
            </Group>
          </ActFacts>
        )}
      </Detail>
    </>
  );
}

const columns: readonly Column<Act>[] = [
  { name: 'Act', show: sentenceOf },
  { name: 'When', kind: 'time', show: ({ at }) => <When at={at} isExact /> },
  { name: 'By', width: 200, show: ({ actor }) => actorWords(actor) },
  {
    name: 'Record',
    show: ({ record, tenant_id }) =>
      record && <AuditedRecord id={record} tenantId={tenant_id} isBare />,
  },
  { name: 'Outcome', kind: 'state', show: (act) => <Outcome act={act} /> },
];
const ofTenant: Column<Act> = {
  name: 'Of',
  show: ({ tenant_id, tenant_name }) =>
    tenant_id === null ? 'The platform' : (tenant_name ?? 'A tenant'),
};
const columnsOfAll = [...columns.slice(0, 3), ofTenant, ...columns.slice(3)];
