import { Fragment } from 'preact';
import type { Delivery, Outcome } from '../../demo/state.ts';
import { callShop } from '../api.ts';
import { Badge, Button, Fault } from '../parts.tsx';
import { clockTime, useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { InPortal } from './in_portal.tsx';

const tones: Readonly<Record<Outcome, 'good' | 'bad' | 'warning'>> = {
  handled: 'good',
  duplicate: 'warning',
  outdated: 'warning',
  refused: 'bad',
  failed: 'bad',
  down: 'bad',
};

function Signature({ outcome, signature, reason }: Delivery) {
  const { inspector } = useTexts().texts;
  const results: Partial<Record<Outcome, string>> = {
    down: inspector.notChecked,
    refused: inspector.refusedFor(reason ?? ''),
  };
  return (
    <div>
      <dt>{inspector.signature}</dt>
      <dd>
        {results[outcome] ?? inspector.valid} <code>{signature}…</code>
      </dd>
    </div>
  );
}

/** Breaks between words where the line is too short. */
const Name = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(?<=[._])/).map((part) => (
      <Fragment key={part}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </>
);

function Facts({ delivery }: { readonly delivery: Delivery }) {
  const { inspector } = useTexts().texts;
  const { event, status } = delivery;
  return (
    <dl class="facts">
      <Signature {...delivery} />
      {event && (
        <div>
          <dt>{inspector.record}</dt>
          <dd>
            <code>{event.record}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>{inspector.answered}</dt>
        <dd>{status}</dd>
      </div>
    </dl>
  );
}

function Event({ delivery }: { readonly delivery: Delivery }) {
  const { isBusy, fault, run } = useTask();
  const { event, outcome, at, handler } = delivery;
  const { inspector } = useTexts().texts;
  const [text, why] = inspector.outcomes[outcome];
  return (
    <details class="entry">
      <summary>
        <time class="soft">{clockTime(at)}</time>
        <span class="entry-name">
          {event ? (
            <Name text={event.type} />
          ) : outcome === 'down' ? (
            inspector.notRead
          ) : (
            inspector.notVerified
          )}
        </span>
        {event?.version && <span class="soft">v{event.version}</span>}
        <Badge tone={tones[outcome]}>{text}</Badge>
      </summary>
      {(handler || outcome !== 'handled') && <p>{why}</p>}
      <Facts delivery={delivery} />
      {handler && (
        <figure class="source">
          <figcaption>
            {handler.file}:{handler.line}
          </figcaption>
          <pre>{handler.text}</pre>
        </figure>
      )}
      {outcome === 'handled' && !handler && <p class="soft">{inspector.noHandler}</p>}
      {event && (
        <InPortal
          what={inspector.event}
          id={event.id}
          action="attempts"
          label={inspector.findDeliveries}
        />
      )}
      <Fault fault={fault} />
      {event && (
        <Button
          look="plain"
          isDisabled={isBusy}
          onClick={() => run(() => callShop('resend', { id: event.id }))}
        >
          {inspector.sendAgain}
        </Button>
      )}
    </details>
  );
}

/** Every request to the shop's webhook address, newest first. */
export function Events() {
  const { deliveries } = useShop().state;
  const { inspector } = useTexts().texts;
  if (deliveries.length === 0) return <p class="empty">{inspector.noEvents}</p>;
  return (
    <div class="entries">
      {deliveries.map((delivery) => (
        <Event key={delivery.number} delivery={delivery} />
      ))}
    </div>
  );
}
