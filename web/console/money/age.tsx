import { Text } from '@mantine/core';
import { lengthOf } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';

/** How long something has waited on its Tenant's clock, and since when. */
export const Age = ({ since, now }: { readonly since: string; readonly now: string }) => (
  <>
    <Text size="sm">{lengthOf(Date.parse(now) - Date.parse(since))}</Text>
    <Text size="xs" c="dimmed">
      <When at={since} isDate />
    </Text>
  </>
);
