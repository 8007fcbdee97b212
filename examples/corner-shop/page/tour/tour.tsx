import { useEffect, useState } from 'preact/hooks';
import type { Entry } from '../../demo/portal.ts';
import { Button, Fault } from '../parts.tsx';
import { dollars, useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { type LedgerView, type TourStep, type Trail, tourSteps } from './steps.ts';

interface TourProps {
  /** Brings a column to the front, where only one is shown. */
  readonly look: (column: TourStep['column']) => void;
}

const none: Trail = { orders: [], payments: [], check: null };

/** The sum of the tour's ledger entries for each account; all together they are zero. */
function LedgerTable({ entries, names }: LedgerView) {
  const { texts, words } = useTexts();
  const { tour } = texts;
  const nameOf = ({ account_id, pocket }: Entry) =>
    account_id === null ? words(pocket) : (names[account_id] ?? account_id);
  const sums = new Map<string, number>();
  for (const entry of entries)
    sums.set(nameOf(entry), (sums.get(nameOf(entry)) ?? 0) + entry.delta);
  const total = entries.reduce((sum, { delta }) => sum + delta, 0);
  return (
    <table class="ledger">
      <caption>{tour.table(entries.length)}</caption>
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
          <th scope="row">{tour.sum}</th>
          <td>{dollars(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Steps({ at, isOver }: { readonly at: number; readonly isOver: boolean }) {
  const { tour } = useTexts().texts;
  return (
    <ol class="dots">
      {tourSteps.map(({ name }, index) => {
        const { title } = tour.steps[name];
        const isDone = index < at || isOver;
        return (
          <li
            key={name}
            class={isDone ? 'is-done' : ''}
            aria-current={index === at && !isOver ? 'step' : undefined}
          >
            <span class="visually-hidden">{isDone ? tour.done(title) : title}</span>
          </li>
        );
      })}
    </ol>
  );
}

function useTour({ look }: TourProps) {
  const shop = useShop();
  const { texts, locale } = useTexts();
  const task = useTask();
  const [at, setAt] = useState(-1);
  const [isPressed, setPressed] = useState(false);
  const [trail, setTrail] = useState(none);
  const [result, setSaid] = useState('');
  const step = tourSteps[at];
  const outcome =
    isPressed && !task.isBusy ? (step?.done(shop.state, trail, texts.tour.results) ?? null) : null;
  useEffect(() => {
    if (outcome === null) return;
    setSaid(outcome);
    setPressed(false);
    // The column stays in front, with what the step has made, until the reader goes on.
    setAt(at + 1);
  }, [outcome]);
  const press = () =>
    task.run(async () => {
      setSaid('');
      setPressed(false);
      if (!step) return;
      look(step.column);
      const found = await step.run({ ...shop, locale }, trail);
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
  const { texts } = useTexts();
  const words = texts.tour;
  const tour = useTour(props);
  const { at, step, result, fault, isBusy, isWaiting, trail } = tour;
  if (at < 0)
    return (
      <section class="tour is-closed" aria-label={words.label}>
        <p class="tour-offer">
          <strong>{words.offerTitle}</strong> {words.offer}
        </p>
        <Button onClick={tour.begin}>{words.begin}</Button>
      </section>
    );
  const isOver = step === undefined;
  return (
    <section class="tour" aria-label={words.label}>
      <Steps at={at} isOver={isOver} />
      <div class="tour-said" role="status">
        {result && <p>{result}</p>}
      </div>
      {isOver ? (
        <>
          {trail.check && <LedgerTable {...trail.check} />}
          <div class="tour-step">
            <h2 tabIndex={-1}>{words.over}</h2>
            <p>{words.overText}</p>
          </div>
          <div class="row">
            <Button look="plain" onClick={tour.begin}>
              {words.again}
            </Button>
            <Button onClick={tour.stop}>{words.lookAround}</Button>
          </div>
        </>
      ) : (
        <>
          <div class="tour-step">
            <h2 tabIndex={-1}>
              <span class="soft">{at + 1}.</span> {words.steps[step.name].title}
            </h2>
            <p>{words.steps[step.name].text}</p>
            <Fault fault={fault} />
          </div>
          <div class="row">
            <Button isDisabled={isBusy || isWaiting} onClick={tour.press}>
              {isWaiting ? words.waiting : words.steps[step.name].press}
            </Button>
            <Button look="quiet" onClick={tour.stop}>
              {words.end}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
