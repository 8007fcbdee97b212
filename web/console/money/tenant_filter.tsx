import { NativeSelect } from '@mantine/core';
import { usePages } from '../../staff/api/queries.ts';

interface TenantFilterProps {
  readonly value: string;
  readonly onChange: (tenantId: string) => void;
  /** What stands for no Tenant. */
  readonly none?: string;
}

/** One of the Tenants, or all of them. */
export function TenantFilter({ value, onChange, none = 'All tenants' }: TenantFilterProps) {
  const { data } = usePages('GET /portal/api/tenants', {});
  const tenants = data?.pages.flatMap((page) => page.data) ?? [];
  const isListed = value === '' || tenants.some(({ id }) => id === value);
  return (
    <NativeSelect
      label="Tenant"
      value={value}
      data={[
        { value: '', label: none },
        ...tenants.map(({ id, name }) => ({ value: id, label: name })),
        ...(isListed ? [] : [{ value, label: value }]),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
