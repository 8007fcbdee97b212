import { useState } from 'preact/hooks';
import { callShop } from '../api.ts';
import { Badge, Button, Fault, Panel, Tabs } from '../parts.tsx';
import { useShop, useTask } from '../shop.ts';
import { Calls } from './calls.tsx';
import { Events } from './events.tsx';
import { Play } from './play.tsx';

type Page = 'events' | 'calls' | 'play';

const bodies = { events: Events, calls: Calls, play: Play };

/** Says that events go to another endpoint, and offers to change that. */
function EventsElsewhere() {
  const { state } = useShop();
  const { isBusy, fault, run } = useTask();
  if (state.endpoint.is_ours) return null;
  return (
    <div class="said">
      <p>
        This sandbox’s webhooks go to <code>{state.endpoint.url ?? 'no endpoint'}</code>, so the
        till receives nothing.
      </p>
      <Button look="plain" isDisabled={isBusy} onClick={() => run(() => callShop('takeover'))}>
        Send them here
      </Button>
      <Fault fault={fault} />
    </div>
  );
}

/** Everything that passes between the shop and the service, as it happens. */
export function Inspector() {
  const { state } = useShop();
  const [page, setPage] = useState<Page>('events');
  const Body = bodies[page];
  const chaos = state.chaos;
  const isChaos =
    chaos !== null &&
    [chaos.duplicate, chaos.out_of_order, chaos.fail_first_attempt, chaos.api_503].some(
      (rate) => rate > 0,
    );
  const tabs = [
    { id: 'events', label: 'Events', count: state.deliveries.length },
    { id: 'calls', label: 'API calls', count: state.calls.length },
    { id: 'play', label: 'Play' },
  ] as const;
  return (
    <section class="column inspector" aria-label="Inspector">
      <div class="device-head">
        <h2 tabIndex={-1}>Inspector</h2>
        <p>
          <Badge tone={state.is_down ? 'bad' : 'good'}>
            {state.is_down ? 'handler down' : 'handler up'}
          </Badge>{' '}
          {isChaos && <Badge tone="warm">chaos</Badge>}
        </p>
      </div>
      <EventsElsewhere />
      <Tabs name="inspector" tabs={tabs} chosen={page} onChoose={setPage} />
      <Panel name="inspector" tab={page}>
        <Body />
      </Panel>
    </section>
  );
}
