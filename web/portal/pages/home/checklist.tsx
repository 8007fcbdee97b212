import { Anchor, List, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { isSandbox } from '../../../staff/api/environment.ts';
import { Fold } from '../../../staff/parts/fold.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';

const steps = [
  ['token_fetched', 'Get an access token', '/credentials'],
  ['endpoint_set', 'Set the webhook endpoint', '/webhooks'],
  ['first_event_delivered', 'Receive your first event', '/events'],
  ['first_payment_completed', 'Complete your first payment', '/records/payments'],
  ['clock_moved', 'Move the clock', '/sandbox'],
  ['went_live', 'Go live', '/credentials'],
] as const;

type Steps = Overview['checklist'];

/** Everything that can be done here: a sandbox does not go live, and production has no clock to move. */
export const isAllDone = (done: Steps): boolean =>
  steps.every(([name]) => done[name].done || name === (isSandbox ? 'went_live' : 'clock_moved'));

interface ChecklistProps {
  readonly steps: Steps;
  /** Everything is done, so only the heading is seen. */
  readonly isFolded?: true;
}

/** The first tasks of a developer, and which of them are done. */
export function Checklist({ steps: done, isFolded }: ChecklistProps) {
  const count = steps.filter(([name]) => done[name].done).length;
  const title = `Getting started: ${count} of ${steps.length}`;
  if (isFolded)
    return (
      <Fold summary={title}>
        <Steps done={done} />
      </Fold>
    );
  return (
    <section aria-labelledby="steps">
      <Title order={2} size="h4" id="steps" mb="xs">
        {title}
      </Title>
      <Steps done={done} />
    </section>
  );
}

const Steps = ({ done }: { readonly done: Steps }) => (
  <List spacing={4} listStyleType="none">
    {steps.map(([name, text, to]) => (
      <List.Item key={name}>
        <Mark tone={done[name].done ? 'good' : 'plain'} text={done[name].done ? 'done' : 'to do'} />{' '}
        <Anchor component={Link} to={to} size="sm">
          {text}
        </Anchor>
      </List.Item>
    ))}
  </List>
);
