import { Select } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../staff/api/queries.ts';
import { furtherRoute } from './further/state.tsx';

const first = 'first';

/**
 * The endpoint that a test goes to.
 * @param isFirstReady the first one is set and switched on
 */
export function useTestEndpoint(isFirstReady: boolean) {
  const { data } = useRead(furtherRoute, {});
  const [asked, setChosen] = useState<string | null>(null);
  const further = (data?.data ?? []).filter(({ enabled }) => enabled);
  const usual = isFirstReady ? first : (further[0]?.id ?? first);
  const chosen = asked ?? usual;
  const named = further.find(({ id }) => id === chosen);
  return {
    isReady: named ? true : isFirstReady,
    /** The input that names the endpoint in the call. */
    input: named ? { endpoint_id: named.id } : {},
    name: named?.name ?? 'my endpoint',
    choice: further.length > 0 && (
      <Select
        label="Endpoint"
        maw={320}
        allowDeselect={false}
        data={[
          { value: first, label: 'The first endpoint' },
          ...further.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={named ? named.id : first}
        onChange={setChosen}
      />
    ),
  };
}
