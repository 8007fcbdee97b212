import { Fragment } from 'preact';
import type { Delivery, Outcome } from '../../demo/state.ts';
import { callShop } from '../api.ts';
import { Badge, Button, Fault } from '../parts.tsx';
import { clockTime, useShop, useTask } from '../shop.ts';
import { InPortal } from './in_portal.tsx';

const outcomes: Readonly<
  Record<Outcome, { text: string; tone: 'good' | 'bad' | 'calm' | 'warm'; why: string }>
> = {
  handled: { text: 'handled', tone: 'good', why: 'The handler ran.' },
  duplicate: {
    text: 'duplicate',
    tone: 'warm',
    why: 'This event’s id was handled before, so nothing was done.',
  },
  outdated: {
    text: 'out of order',
    tone: 'warm',
    why: 'A later version of this record was handled before, so nothing was done.',
  },
  refused: {
    text: 'refused',
    tone: 'bad',
    why: 'The signature was wrong, and the shop answered 400.',
  },
  failed: { text: 'failed', tone: 'bad', why: 'The handler failed; the event will come again.' },
  down: {
    text: '503',
    tone: 'bad',
    why: 'The handler was switched off. The service tries again by its schedule.',
  },
};

function Signature({ outcome, signature, reason }: Delivery) {
  const isUnread = outcome === 'down';
  const result = isUnread ? 'not checked' : outcome === 'refused' ? `refused (${reason})` : 'valid';
  return (
    <div>
      <dt>Signature</dt>
      <dd>
        {result} <code>{signature}…</code>
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
  const { event, status } = delivery;
  return (
    <dl class="facts">
      <Signature {...delivery} />
      {event && (
        <div>
          <dt>Record</dt>
          <dd>
            <code>{event.record}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>Answered</dt>
        <dd>{status}</dd>
      </div>
    </dl>
  );
}

function Event({ delivery }: { readonly delivery: Delivery }) {
  const { isBusy, fault, run } = useTask();
  const { event, outcome, at, handler } = delivery;
  const { text, tone, why } = outcomes[outcome];
  return (
    <details class="entry">
      <summary>
        <time class="soft">{clockTime(at)}</time>
        <span class="entry-name">
          {event ? <Name text={event.type} /> : outcome === 'down' ? 'not read' : 'not verified'}
        </span>
        {event?.version && <span class="soft">v{event.version}</span>}
        <Badge tone={tone}>{text}</Badge>
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
      {outcome === 'handled' && !handler && (
        <p class="soft">Verified and recorded; the till has no handler for this type.</p>
      )}
      {event && (
        <InPortal
          what="Event"
          id={event.id}
          action="attempts"
          label="Find its deliveries in the portal"
        />
      )}
      <Fault fault={fault} />
      {event && (
        <Button
          look="plain"
          isDisabled={isBusy}
          onClick={() => run(() => callShop('resend', { id: event.id }))}
        >
          Send it again
        </Button>
      )}
    </details>
  );
}

/** Every request to the shop's webhook address, newest first. */
export function Events() {
  const { deliveries } = useShop().state;
  if (deliveries.length === 0)
    return <p class="empty">No webhook yet. Ring something up on the till.</p>;
  return (
    <div class="entries">
      {deliveries.map((delivery) => (
        <Event key={delivery.number} delivery={delivery} />
      ))}
    </div>
  );
}
