import { Stack } from '@mantine/core';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Chaos } from './sandbox/chaos.tsx';
import { Clock } from './sandbox/clock.tsx';
import { Magic } from './sandbox/magic.tsx';
import { Mode } from './sandbox/mode.tsx';
import { ProductionRules } from './sandbox/production_rules.tsx';
import { SampleEvent } from './sandbox/sample_event.tsx';
import { Tenants } from './sandbox/tenants.tsx';

/**
 * The page of all that can be played in a sandbox: time, faults, answers, events, and the sandbox
 * itself.
 */
export function Sandbox() {
  return (
    <>
      <PageTitle title="Sandbox" text="Play time, faults and events. No real money moves." />
      <Stack gap={40} maw={860}>
        <Clock />
        <Chaos />
        <Mode />
        <ProductionRules />
        <Magic />
        <SampleEvent />
        <Tenants />
      </Stack>
    </>
  );
}
