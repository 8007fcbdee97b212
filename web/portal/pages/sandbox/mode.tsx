import { Radio, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';

type Mode = 'manual' | 'automatic';

const modes = [
  ['manual', 'Manual', 'Nobody answers. You play bank, identity provider and customer yourself.'],
  ['automatic', 'Automatic', 'Each answers within seconds, as the tables below say.'],
] as const;

/**
 * The choice who answers for the bank, the identity provider and the customer: nobody, or the
 * sandbox at once.
 */
export function Mode() {
  const queries = useQueryClient();
  const mayChange = holds(useSession(), ['developer', 'owner', 'admin']);
  const { data, error, refetch } = useRead('GET /portal/api/settings', {});
  const save = useMutation({
    mutationFn: (sandbox_mode: Mode) => call('PUT /portal/api/settings', { sandbox_mode }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['GET /portal/api/settings'] }),
  });
  return (
    <Section
      title="Sandbox responses"
      text="The mode at the time of asking counts: what already waits goes on as it began."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {save.error && <Trouble error={save.error} />}
      {data && (
        <Radio.Group
          aria-label="Sandbox responses"
          value={save.isPending ? save.variables : data.sandbox_mode}
          onChange={(mode) => save.mutate(mode as Mode)}
        >
          <Stack gap="xs">
            {modes.map(([mode, label, text]) => (
              <Radio
                key={mode}
                value={mode}
                label={label}
                description={text}
                disabled={!mayChange || save.isPending}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Section>
  );
}
