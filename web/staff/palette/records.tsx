import { Text } from '@mantine/core';
import { capitalized, shortened } from '@tenant-payments/contract/core/fields/field.ts';
import type { ReactNode } from 'react';
import { labelOf, partiesOf } from '../api/faces.ts';
import { TenantProvider } from '../api/queries.ts';
import { Cents } from '../parts/cents.tsx';
import { Name } from '../parts/face.tsx';
import { StateBadge } from '../parts/state_badge.tsx';
import { inWords } from '../parts/tell.ts';
import { When } from '../parts/when.tsx';
import type { Hit } from './choices.ts';

const kindOf = (resource: string): string => capitalized(inWords(resource));

/** A record by its parties, with what it is and was found by; amount and state at the end of the line. */
export function FoundRecord({ hit }: { readonly hit: Hit }) {
  const { id, resource, title, amount, status, at, tenant_name } = hit;
  const isTenant = resource === 'tenant';
  const label = labelOf(hit);
  const name = partiesOf(hit) ?? label ?? shortened(id);
  const more = [
    kindOf(resource),
    isTenant ? null : tenant_name,
    ...new Set([label, title === id || title.startsWith('$') ? null : title]),
  ].filter((one) => one && one !== name);
  return (
    <>
      <span className="palette-name">
        {name}
        <Text component="span" size="xs" c="dimmed" display="block">
          {more.join(' · ')}
          {!isTenant && <span className="palette-id">{` · ${shortened(id)}`}</span>}
          {at && (
            <>
              {' · '}
              <When at={at} />
            </>
          )}
        </Text>
      </span>
      {amount !== null && <Cents value={amount} />}
      {status && <StateBadge state={status} resource={resource} />}
    </>
  );
}

/** The record behind an address: `/record/pay_…`, in the console with its Tenant before. */
const recordIn =
  /^\/(?:record|customer)\/(?:([0-9a-f-]{36})\/)?(?:[a-z_]+\/)?([a-z]+_[0-9a-f]{32})$/;

/** A record where one was before, by its parties; null: the address is of none. */
export function recentRecord(path: string): ReactNode {
  const [, tenantId, id] = recordIn.exec(path) ?? [];
  if (id === undefined) return null;
  const shown = (
    <span className="palette-name">
      <Name id={id} />
      <Text component="span" size="xs" c="dimmed" display="block">
        {shortened(id)}
      </Text>
    </span>
  );
  return tenantId ? <TenantProvider value={tenantId}>{shown}</TenantProvider> : shown;
}
