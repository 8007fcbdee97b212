import { given, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import type { Values } from '../../staff/parts/filter_fields.ts';
import type { ListField } from '../../staff/parts/filter_row.tsx';
import { tenantField } from '../tenants/tenant_filter.tsx';
import { kinds } from './words.ts';

export const desk = 'GET /portal/api/desk';

/** A Tenant, a kind, who has taken it, and what is late. */
export const deskFields: readonly ListField[] = [
  tenantField('tenant_id'),
  {
    name: 'resource',
    label: 'Kind',
    kind: 'choice',
    choices: Object.entries(kinds).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'assigned',
    label: 'Taken by',
    kind: 'choice',
    choices: [
      { value: 'me', label: 'me' },
      { value: 'nobody', label: 'nobody' },
      { value: 'others', label: 'others' },
    ],
  },
  { name: 'late', label: 'Late', kind: 'choice', choices: [{ value: 'yes', label: 'only' }] },
];

export const askedOfDesk = ({ late, ...rest }: Values): Values => ({
  ...rest,
  ...(late !== undefined && { late: 'true' }),
});

const names = ['tenant_id', 'resource', 'assigned', 'late'] as const;

/** The filters that a case keeps of the desk, for the way back and to the next one. */
export function useDeskFilters() {
  const values = given(useAddress(names)[0]);
  return { values, asked: askedOfDesk(values) as InputOf<typeof desk> };
}
