import { useState } from 'preact/hooks';
import type { Waiting } from '../../demo/state.ts';
import { callShop } from '../api.ts';
import { Badge, Button, Fault } from '../parts.tsx';
import { dollars, useShop, useTask, words } from '../shop.ts';
import type { LedgerView } from '../tour/steps.ts';

interface Act {
  readonly label: string;
  readonly event: string;
  readonly failure_code?: string;
}

const act = (label: string, event: string): Act => ({ label, event });
const bank = (object: string, done = 'settled'): readonly Act[] => [
  act('Bank settles', `${object}.${done}`),
  act('Bank rejects', `${object}.failed`),
];
const decide = (object: string): readonly Act[] => [
  act('Approve', `${object}.approved`),
  act('Reject', `${object}.rejected`),
];
const rule: readonly Act[] = [
  act('Decide for the customer', 'dispute.resolved_approved'),
  act('Deny', 'dispute.resolved_denied'),
];

/** What a bank or reviewer can do with a record, by its state. */
const acts: Readonly<Record<string, readonly Act[]>> = {
  'load processing': bank('load'),
  'withdrawal processing': bank('withdrawal'),
  'payment processing': bank('payment', 'completed'),
  'refund processing': bank('refund', 'completed'),
  'linked_account pending': [
    act('Bank verifies', 'linked_account.verified'),
    act('Bank refuses', 'linked_account.failed'),
    act('Hold for review', 'linked_account.held_for_review'),
  ],
  'linked_account held_for_review': [
    act('Approve', 'linked_account.verified'),
    act('Reject', 'linked_account.failed'),
  ],
  'customer pending': [...decide('customer'), act('Unclear', 'customer.in_review')],
  'customer in_review': decide('customer'),
  'owner pending': decide('owner'),
  'dispute received': [act('Investigate', 'dispute.investigating')],
  'dispute investigating': [act('Credit for now', 'dispute.provisional_credit'), ...rule],
  'dispute provisional_credit': rule,
};

const actsOn = ({ object, status }: Waiting) => acts[`${object} ${status}`] ?? [];

type Run = (task: () => Promise<unknown>) => void;

function WaitingRecords({ run }: { readonly run: Run }) {
  const { waiting } = useShop().state;
  const turns = waiting.filter((each) => actsOn(each).length > 0);
  return (
    <section>
      <h3>Waiting for a decision</h3>
      {turns.length === 0 && (
        <p class="soft">
          Nothing waits for a bank or a reviewer. Add money on the phone, for example.
        </p>
      )}
      {turns.map((each) => (
        <div class="turn" key={each.id}>
          <p>
            <strong>{words(each.object)}</strong> {each.amount ? dollars(each.amount) : ''}{' '}
            <Badge tone="warm">{words(each.status)}</Badge> <code>{each.id.slice(-6)}</code>
          </p>
          <div class="row">
            {actsOn(each).map(({ label, event }) => (
              <Button
                key={event}
                look="plain"
                onClick={() =>
                  run(() => callShop('simulate', { event, id: each.id, failure_code: null }))
                }
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

const moves = [
  ['1 minute', 60],
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['3 days', 3 * 86_400],
] as const;

const ClockMoves = ({ run }: { readonly run: Run }) => (
  <section>
    <h3>Clock</h3>
    <p class="soft">Forward only. Every job that becomes due is run.</p>
    <div class="row">
      {moves.map(([label, seconds]) => (
        <Button key={label} look="plain" onClick={() => run(() => callShop('clock', { seconds }))}>
          {label}
        </Button>
      ))}
      <Button look="plain" onClick={() => run(() => callShop('retry'))}>
        To the next retry
      </Button>
    </div>
  </section>
);

const faults = [
  ['duplicate', 'Events come twice'],
  ['out_of_order', 'Events overtake each other'],
  ['fail_first_attempt', 'First attempts fail'],
  ['api_503', 'A quarter of the calls get a 503'],
] as const;

function Chaos({ run }: { readonly run: Run }) {
  const { chaos, is_down } = useShop().state;
  const toggle = (name: (typeof faults)[number][0]) => {
    const full = name === 'api_503' ? 0.25 : 1;
    const rates = { ...chaos, [name]: (chaos?.[name] ?? 0) > 0 ? 0 : full };
    run(() => callShop('chaos', { rates }));
  };
  return (
    <section>
      <h3>Break things</h3>
      {faults.map(([name, label]) => (
        <label class="check" key={name}>
          <input type="checkbox" checked={(chaos?.[name] ?? 0) > 0} onChange={() => toggle(name)} />
          <span>{label}</span>
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={is_down}
          onChange={() => run(() => callShop('down', { id: is_down ? 'up' : 'down' }))}
        />
        <span>The shop’s webhook handler is down: it answers 503</span>
      </label>
      <div class="row">
        <Button look="plain" onClick={() => run(() => callShop('forge'))}>
          Send a forged event
        </Button>
        <Button look="plain" onClick={() => run(() => callShop('publish'))}>
          Publish new terms
        </Button>
      </div>
    </section>
  );
}

/** What only a sandbox allows. */
export function Play() {
  const { fault, run } = useTask();
  const [check, setCheck] = useState<LedgerView['check'] | null>(null);
  return (
    <div class="play">
      <Fault fault={fault} />
      <WaitingRecords run={run} />
      <ClockMoves run={run} />
      <Chaos run={run} />
      <section>
        <h3>Ledger</h3>
        <div class="row">
          <Button
            look="plain"
            onClick={() =>
              run(async () => setCheck((await callShop<LedgerView>('ledger', { text: '' })).check))
            }
          >
            Check the whole ledger
          </Button>
        </div>
        {check && (
          <p role="status">
            {check.ok
              ? `It sums to zero; ${check.checked.toLocaleString('en-US')} rows checked.`
              : 'A rule is broken.'}
          </p>
        )}
      </section>
    </div>
  );
}
