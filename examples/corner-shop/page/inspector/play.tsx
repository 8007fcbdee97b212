import { useState } from 'preact/hooks';
import type { Waiting } from '../../demo/state.ts';
import { callShop } from '../api.ts';
import { Badge, Button, Fault } from '../parts.tsx';
import { dollars, useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import type { LedgerView } from '../tour/steps.ts';

interface Act {
  readonly label: string;
  readonly event: string;
  readonly failure_code?: string;
}

const act = (label: string, event: string): Act => ({ label, event });
const bank = (object: string, done = 'settled'): readonly Act[] => [
  act('settle', `${object}.${done}`),
  act('reject', `${object}.failed`),
];
const decide = (object: string): readonly Act[] => [
  act('approve', `${object}.approved`),
  act('refuse', `${object}.rejected`),
];
const rule: readonly Act[] = [
  act('forCustomer', 'dispute.resolved_approved'),
  act('deny', 'dispute.resolved_denied'),
];

/** The acts of a bank or reviewer with a record, by its state. */
const acts: Readonly<Record<string, readonly Act[]>> = {
  'load processing': bank('load'),
  'withdrawal processing': bank('withdrawal'),
  'payment processing': bank('payment', 'completed'),
  'refund processing': bank('refund', 'completed'),
  'linked_account pending': [
    act('verify', 'linked_account.verified'),
    act('notVerify', 'linked_account.failed'),
    act('hold', 'linked_account.held_for_review'),
  ],
  'linked_account held_for_review': [
    act('approve', 'linked_account.verified'),
    act('refuse', 'linked_account.failed'),
  ],
  'customer pending': [...decide('customer'), act('unclear', 'customer.in_review')],
  'customer in_review': decide('customer'),
  'owner pending': decide('owner'),
  'dispute received': [act('investigate', 'dispute.investigating')],
  'dispute investigating': [act('credit', 'dispute.provisional_credit'), ...rule],
  'dispute provisional_credit': rule,
};

const actsOn = ({ object, status }: Waiting) => acts[`${object} ${status}`] ?? [];

type Run = (task: () => Promise<unknown>) => void;

function WaitingRecords({ run }: { readonly run: Run }) {
  const { waiting } = useShop().state;
  const { texts, words } = useTexts();
  const { inspector } = texts;
  const turns = waiting.filter((each) => actsOn(each).length > 0);
  return (
    <section>
      <h3>{inspector.turns}</h3>
      {turns.length === 0 && <p class="soft">{inspector.noTurns}</p>}
      {turns.map((each) => (
        <div class="turn" key={each.id}>
          <p>
            <strong>{words(each.object)}</strong> {each.amount ? dollars(each.amount) : ''}{' '}
            <Badge tone="warning">{words(each.status)}</Badge> <code>{each.id.slice(-6)}</code>
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
                {inspector.acts[label]}
              </Button>
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

const moves = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['days', 3 * 86_400],
] as const;

function ClockMoves({ run }: { readonly run: Run }) {
  const { inspector } = useTexts().texts;
  return (
    <section>
      <h3>{inspector.clock}</h3>
      <p class="soft">{inspector.clockText}</p>
      <div class="row">
        {moves.map(([name, seconds]) => (
          <Button key={name} look="plain" onClick={() => run(() => callShop('clock', { seconds }))}>
            {inspector.moves[name]}
          </Button>
        ))}
        <Button look="plain" onClick={() => run(() => callShop('retry'))}>
          {inspector.nextRetry}
        </Button>
      </div>
    </section>
  );
}

const faults = ['duplicate', 'out_of_order', 'fail_first_attempt', 'api_503'] as const;

function Chaos({ run }: { readonly run: Run }) {
  const { chaos, is_down } = useShop().state;
  const { inspector } = useTexts().texts;
  const toggle = (name: (typeof faults)[number]) => {
    const full = name === 'api_503' ? 0.25 : 1;
    const rates = { ...chaos, [name]: (chaos?.[name] ?? 0) > 0 ? 0 : full };
    run(() => callShop('chaos', { rates }));
  };
  return (
    <section>
      <h3>{inspector.breaking}</h3>
      {faults.map((name) => (
        <label class="check" key={name}>
          <input type="checkbox" checked={(chaos?.[name] ?? 0) > 0} onChange={() => toggle(name)} />
          <span>{inspector.faults[name]}</span>
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={is_down}
          onChange={() => run(() => callShop('down', { id: is_down ? 'up' : 'down' }))}
        />
        <span>{inspector.isDown}</span>
      </label>
      <div class="row">
        <Button look="plain" onClick={() => run(() => callShop('forge'))}>
          {inspector.forge}
        </Button>
        <Button look="plain" onClick={() => run(() => callShop('publish'))}>
          {inspector.publish}
        </Button>
      </div>
    </section>
  );
}

/** Controls that only a sandbox allows. */
export function Play() {
  const { inspector } = useTexts().texts;
  const { fault, run } = useTask();
  const [check, setCheck] = useState<LedgerView['check'] | null>(null);
  return (
    <div class="play">
      <Fault fault={fault} />
      <WaitingRecords run={run} />
      <ClockMoves run={run} />
      <Chaos run={run} />
      <section>
        <h3>{inspector.ledger}</h3>
        <div class="row">
          <Button
            look="plain"
            onClick={() =>
              run(async () => setCheck((await callShop<LedgerView>('ledger', { text: '' })).check))
            }
          >
            {inspector.checkLedger}
          </Button>
        </div>
        {check && (
          <p role="status">
            {check.ok
              ? inspector.ledgerOk(check.checked.toLocaleString('en-US'))
              : inspector.ledgerBroken}
          </p>
        )}
      </section>
    </div>
  );
}
