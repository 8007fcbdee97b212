import { useState } from 'preact/hooks';
import { callShop } from '../api.ts';
import { Badge, Button, Fault, Panel, Tabs } from '../parts.tsx';
import { useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { Calls } from './calls.tsx';
import { Events } from './events.tsx';
import { Play } from './play.tsx';

type Page = 'events' | 'calls' | 'play';

const bodies = { events: Events, calls: Calls, play: Play };

/** Says that events go to another endpoint, and offers to change that. */
function EventsElsewhere() {
  const { state } = useShop();
  const { inspector } = useTexts().texts;
  const { isBusy, fault, run } = useTask();
  if (state.endpoint.is_ours) return null;
  return (
    <div class="said">
      <p>{inspector.elsewhere(state.endpoint.url ?? inspector.noEndpoint)}</p>
      <Button look="plain" isDisabled={isBusy} onClick={() => run(() => callShop('takeover'))}>
        {inspector.sendHere}
      </Button>
      <Fault fault={fault} />
    </div>
  );
}

/** Everything that passes between the shop and the service, as it happens. */
export function Inspector() {
  const { state } = useShop();
  const { texts } = useTexts();
  const { inspector } = texts;
  const [page, setPage] = useState<Page>('events');
  const Body = bodies[page];
  const chaos = state.chaos;
  const isChaos =
    chaos !== null &&
    [chaos.duplicate, chaos.out_of_order, chaos.fail_first_attempt, chaos.api_503].some(
      (rate) => rate > 0,
    );
  const tabs = [
    { id: 'events', label: inspector.pages.events, count: state.deliveries.length },
    { id: 'calls', label: inspector.pages.calls, count: state.calls.length },
    { id: 'play', label: inspector.pages.play },
  ] as const;
  return (
    <section class="column inspector" aria-label={texts.column.inspector}>
      <div class="device-head">
        <h2 tabIndex={-1}>{texts.column.inspector}</h2>
        <p>
          <Badge tone={state.is_down ? 'bad' : 'good'}>
            {state.is_down ? inspector.down : inspector.up}
          </Badge>{' '}
          {isChaos && <Badge tone="warning">{inspector.chaos}</Badge>}
        </p>
      </div>
      <EventsElsewhere />
      <Tabs
        name="inspector"
        label={texts.column.inspector}
        tabs={tabs}
        chosen={page}
        onChoose={setPage}
      />
      <Panel name="inspector" tab={page}>
        <Body />
      </Panel>
    </section>
  );
}
