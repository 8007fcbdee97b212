import { Alert, Button, Group, Text } from '@mantine/core';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { onIn, useSetChaos } from '../api/chaos.ts';

const everyMs = 15_000;

/** The banner on every page while faults are on, so that nobody looks for a fault of their own. */
export function ChaosBanner() {
  const mayChange = holds(useSession(), ['developer', 'admin']);
  const { data } = useRead('GET /portal/api/chaos', {}, everyMs);
  const turnOff = useSetChaos();
  if (data === undefined) return null;
  const on = onIn(data);
  if (on.length === 0) return null;
  return (
    <Alert color="yellow" role="region" aria-label="Faults that are on" mb="md" p="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="shrinks">
          <strong>Faults are on: </strong>
          {on.join(', ')}
          {data.ends_at ? (
            <>
              , until <When at={data.ends_at} isDate />.
            </>
          ) : (
            ', until they are turned off.'
          )}
        </Text>
        {mayChange && (
          <Button
            size="compact-sm"
            variant="default"
            loading={turnOff.isPending}
            onClick={() => turnOff.mutate({ seed: data.seed })}
          >
            Turn off
          </Button>
        )}
      </Group>
      {turnOff.error && <Trouble error={turnOff.error} />}
    </Alert>
  );
}
