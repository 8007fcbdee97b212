import { Button, Group, NumberInput, Select, SimpleGrid, Text } from '@mantine/core';
import type { Chaos as Setting } from '@tenant-payments/contract/sandbox/chaos.ts';
import { useEffect, useState } from 'react';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { faults, onIn, percentOf, type Rates, useSetChaos } from '../../api/chaos.ts';

const lengths = [
  { value: '600', label: 'After 10 minutes' },
  { value: '3600', label: 'After 1 hour' },
  { value: '28800', label: 'After 8 hours' },
  { value: 'never', label: 'Never: until it is turned off' },
];

/** The end of the faults in real time, counted from the service's own clock; null: they stay. */
const endOf = (length: string, realNow: string): string | null =>
  length === 'never' ? null : new Date(Date.parse(realNow) + Number(length) * 1_000).toISOString();

/** Faults of the API and of deliveries, at rates, for a while. */
export function Chaos() {
  const mayChange = holds(useSession(), ['developer', 'admin']);
  const { data, error, refetch } = useRead('GET /portal/api/chaos', {}, 15_000);
  const clock = useRead('GET /portal/api/clock', {});
  const [rates, setRates] = useState<Rates>({});
  const [length, setLength] = useState('3600');
  const put = data && JSON.stringify(data);
  // Set anew only by what the service holds now, so that reading it again undoes no typing.
  useEffect(() => {
    if (put) setRates(JSON.parse(put));
  }, [put]);
  const save = useSetChaos();
  const isOn = data !== undefined && onIn(data).length > 0;
  const realNow = clock.data?.real_now ?? new Date().toISOString();
  return (
    <Section
      title="Faults"
      text="Faults that your code must survive. The same seed with the same calls and events gives the same faults again."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {faults.map(([name, label]) => (
          <NumberInput
            key={name}
            label={label}
            suffix="%"
            min={0}
            max={100}
            value={percentOf(rates[name])}
            onChange={(value) => setRates({ ...rates, [name]: Number(value) / 100 })}
          />
        ))}
        <NumberInput
          label="Seed"
          allowDecimal={false}
          value={rates.seed ?? 1}
          onChange={(value) => setRates({ ...rates, seed: Number(value) })}
        />
        <Select
          label="Turns itself off"
          allowDeselect={false}
          data={lengths}
          value={length}
          onChange={(value) => value && setLength(value)}
        />
      </SimpleGrid>
      {save.error && <Trouble error={save.error} />}
      <Group gap="xs">
        <Button
          disabled={!mayChange}
          loading={save.isPending}
          onClick={() => save.mutate({ ...rates, ends_at: endOf(length, realNow) })}
        >
          Save
        </Button>
        <Button
          variant="default"
          disabled={!mayChange || !isOn}
          onClick={() => save.mutate({ seed: rates.seed ?? 1 })}
        >
          Turn all off
        </Button>
        {data && <State chaos={data} />}
      </Group>
    </Section>
  );
}

function State({ chaos }: { readonly chaos: Setting }) {
  const isOn = onIn(chaos).length > 0;
  return (
    <Text size="sm" role="status">
      {isOn ? 'Faults are on.' : 'No faults.'}{' '}
      {chaos.ends_at !== null && (
        <>
          {isOn ? 'They end at ' : 'They ended by themselves at '}
          <When at={chaos.ends_at} isDate />
        </>
      )}
    </Text>
  );
}
