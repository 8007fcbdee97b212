import { useEffect, useState } from 'preact/hooks';
import type { Entry } from '../../demo/portal.ts';
import { Button, Fault } from '../parts.tsx';
import { dollars, useShop, useTask, words } from '../shop.ts';
import { type LedgerView, type TourStep, type Trail, tourSteps } from './steps.ts';

interface TourProps {
  /** Brings a column to the front, where only one is shown. */
  readonly look: (column: TourStep['column']) => void;
}

const none: Trail = { orders: [], payments: [], check: null };

/** The sum of the tour's ledger entries for each account; all together they are zero. */
function LedgerTable({ entries, names }: LedgerView) {
  const nameOf = ({ account_id, pocket }: Entry) =>
    account_id === null ? words(pocket) : (names[account_id] ?? account_id);
  const sums = new Map<string, number>();
  for (const entry of entries)
    sums.set(nameOf(entry), (sums.get(nameOf(entry)) ?? 0) + entry.delta);
  const total = entries.reduce((sum, { delta }) => sum + delta, 0);
  return (
    <table class="ledger">
      <caption>The {entries.length} ledger entries of this tour, by account</caption>
      <tbody>
        {[...sums].map(([name, sum]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{dollars(sum)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum</th>
          <td>{dollars(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Steps({ at, isOver }: { readonly at: number; readonly isOver: boolean }) {
  return (
    <ol class="dots">
      {tourSteps.map(({ title }, index) => {
        const isDone = index < at || isOver;
        return (
          <li
            key={title}
            class={isDone ? 'is-done' : ''}
            aria-current={index === at && !isOver ? 'step' : undefined}
          >
            <span class="visually-hidden">
              {title}
              {isDone ? ', done' : ''}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function useTour({ look }: TourProps) {
  const shop = useShop();
  const task = useTask();
  const [at, setAt] = useState(-1);
  const [isPressed, setPressed] = useState(false);
  const [trail, setTrail] = useState(none);
  const [result, setSaid] = useState('');
  const step = tourSteps[at];
  const outcome = isPressed && !task.isBusy ? (step?.done(shop.state, trail) ?? null) : null;
  useEffect(() => {
    if (outcome === null) return;
    setSaid(outcome);
    setPressed(false);
    setAt(at + 1);
    const next = tourSteps[at + 1];
    if (next) look(next.column);
  }, [outcome]);
  const press = () =>
    task.run(async () => {
      setSaid('');
      setPressed(false);
      if (!step) return;
      look(step.column);
      const found = await step.run(shop, trail);
      setTrail((before) => ({ ...before, ...found }));
      setPressed(true);
    });
  const begin = () => {
    setTrail(none);
    setSaid('');
    setPressed(false);
    setAt(0);
    shop.hold('sample-ana');
    look('till');
  };
  return {
    ...task,
    at,
    step,
    trail,
    result,
    isWaiting: isPressed && outcome === null,
    press,
    begin,
    stop: () => setAt(-1),
  };
}

/** Ten things in a minute and a half, each of them one press. */
export function Tour(props: TourProps) {
  const tour = useTour(props);
  const { at, step, result, fault, isBusy, isWaiting, trail } = tour;
  if (at < 0)
    return (
      <section class="tour is-closed" aria-label="Tour">
        <p class="tour-offer">
          <strong>New here?</strong> Buy a coffee, break the network, take the shop down, and see
          that the ledger still sums to zero.
        </p>
        <Button onClick={tour.begin}>Take the 90-second tour</Button>
      </section>
    );
  const isOver = step === undefined;
  return (
    <section class="tour" aria-label="Tour">
      <Steps at={at} isOver={isOver} />
      <div class="tour-said" role="status">
        {result && <p>{result}</p>}
      </div>
      {isOver ? (
        <>
          {trail.check && <LedgerTable {...trail.check} />}
          <div class="tour-step">
            <h2 tabIndex={-1}>That was the tour</h2>
            <p>The till, the phone and the inspector are yours. Try what worries you.</p>
          </div>
          <div class="row">
            <Button look="plain" onClick={tour.begin}>
              Start again
            </Button>
            <Button onClick={tour.stop}>Look around</Button>
          </div>
        </>
      ) : (
        <>
          <div class="tour-step">
            <h2 tabIndex={-1}>
              <span class="soft">{at + 1}.</span> {step.title}
            </h2>
            <p>{step.text}</p>
            <Fault fault={fault} />
          </div>
          <div class="row">
            <Button isDisabled={isBusy || isWaiting} onClick={tour.press}>
              {isWaiting ? 'Waiting for webhooks…' : step.press}
            </Button>
            <Button look="quiet" onClick={tour.stop}>
              End tour
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
