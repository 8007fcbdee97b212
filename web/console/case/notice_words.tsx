import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCall } from '../../staff/api/queries.ts';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';

/** A notice as it was written, for whoever must give it. It is read on demand, since reading leaves a record. */
export function NoticeWords({ id }: { readonly id: string }) {
  const ask = useCall();
  const read = useMutation({
    mutationFn: () => ask('GET /portal/api/notices/:id', { id }),
    gcTime: 0,
  });
  const { data, error, isPending } = read;
  return (
    <Section title="The notice" text="Reading it is written down with your name.">
      {error && <Trouble error={error} />}
      {!data && (
        <Group>
          <Button variant="default" loading={isPending} onClick={() => read.mutate()}>
            Read the notice
          </Button>
        </Group>
      )}
      {data && !data.said && <Text size="sm">Its words are no longer kept.</Text>}
      {data?.give_today && (
        <Text size="sm">
          It is dated today, since the days until the debit count from when it is given: give it
          today, or read it again on the day on which you do.
        </Text>
      )}
      {data?.said && (
        <div className="letter">
          <Text size="sm" c="dimmed" className="breaks">{`For ${data.said.to}`}</Text>
          <Text fw={600} my="xs" className="breaks">
            {data.said.subject}
          </Text>
          <Text size="sm" className="words breaks">
            {data.said.text}
          </Text>
        </div>
      )}
    </Section>
  );
}
