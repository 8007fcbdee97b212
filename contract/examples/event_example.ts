import { recordBefore, type Step } from '../steps.ts';
import { type Example, expiresInSeconds, newExample, type QrWriter } from './example.ts';
import { examples } from './records.ts';

type Values = Readonly<Record<string, unknown>>;

const ageSeconds = 5 * 60;

/** A record after a step, and before it. */
interface ShownExample {
  readonly id: string;
  readonly version: number;
  readonly object: Values;
  readonly earlier: Values | null;
}

/** The records of an example after a step and before it. */
export function exampleAt(example: Example, step: Step): Pick<ShownExample, 'object' | 'earlier'> {
  const { resource, from, to, change } = step;
  // Each step names states of its own resource, which the compiler cannot follow.
  const recordIn = (status: string): Values => ({
    ...examples[resource](example, status as never),
  });
  const object = recordIn(to);
  return { object, earlier: change === 'status' ? recordIn(from) : recordBefore(step, object) };
}

/** The earlier values of the fields that a step has changed, as its event shows them; null where the record begins. */
export function previousIn(step: Step, { object, earlier }: ReturnType<typeof exampleAt>) {
  if (step.change === 'begins') return null;
  const changed = Object.entries(earlier ?? {}).filter(
    ([name, was]) => name in object && JSON.stringify(was) !== JSON.stringify(object[name]),
  );
  return Object.fromEntries(changed);
}

/** An example record with new ids. */
export function exampleOf(
  context: { readonly newId: () => string; readonly now: string },
  step: Step,
  qr: QrWriter,
): ShownExample {
  const { resource, to, change, version } = step;
  const oldSeconds = to === 'expired' ? expiresInSeconds : ageSeconds;
  const past = { version, ageSeconds: change === 'begins' ? 0 : oldSeconds };
  const example = newExample(context, past, qr);
  return { id: example.uuidOf(resource), version, ...exampleAt(example, step) };
}
