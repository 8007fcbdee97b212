import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';

/** Whether the sandbox refuses what production refuses. */
export function ProductionRules() {
  const queries = useQueryClient();
  const mayChange = holds(useSession(), ['developer', 'owner', 'admin']);
  const { data, error, refetch } = useRead('GET /portal/api/settings', {});
  const save = useMutation({
    mutationFn: (production_rules: boolean) =>
      call('PUT /portal/api/settings', { production_rules }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['GET /portal/api/settings'] }),
  });
  return (
    <Section
      title="Rules of production"
      text="What production would refuse has the header Refused-In-Production on its reply. Switched on, it is refused."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {save.error && <Trouble error={save.error} />}
      {data && (
        <Switch
          label="Answer as production would"
          description="Your programs meet every refusal of production. What plays the outside goes on: simulate, the clock, faults and sample events."
          checked={save.isPending ? save.variables : data.production_rules}
          disabled={!mayChange || save.isPending}
          onChange={({ currentTarget: { checked } }) => save.mutate(checked)}
        />
      )}
    </Section>
  );
}
