import { SimpleGrid, Stack } from '@mantine/core';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Checklist, isAllDone } from './checklist.tsx';
import { Clock, Endpoint, Refusals } from './facts.tsx';
import { Figures } from './figures.tsx';
import { Volume } from './money.tsx';
import { NeedsYou } from './needs_you.tsx';
import { Deliveries, Requests } from './traffic.tsx';

/** Everything of the home page below its heading; traffic is shown to whoever may open its lists. */
export function HomeParts({ overview }: { readonly overview: Overview }) {
  const isDeveloper = holds(useSession(), ['developer', 'support']);
  const { checklist, requests, deliveries, delivered_to, endpoint, clock, refusals } = overview;
  const isDone = isAllDone(checklist);
  return (
    <Stack gap="xl">
      {!isDone && <Checklist steps={checklist} />}
      <NeedsYou />
      <Figures overview={overview} isDeveloper={isDeveloper} />
      <Volume money={overview.money} />
      {isDeveloper && (
        <>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Requests hours={requests} />
            <Deliveries hours={deliveries} endpoints={delivered_to} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Endpoint endpoint={endpoint} />
            <Clock clock={clock} />
          </SimpleGrid>
          <Refusals refusals={refusals} />
        </>
      )}
      {isDone && <Checklist steps={checklist} isFolded />}
    </Stack>
  );
}
