import { type Declaration, json, print } from './declare.ts';
import { type AnswerOf, operate } from './operate.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly json?: true;
}

const rings = ['SEALING_KEY', 'PIN_PEPPER', 'QR_SIGNING_KEY', 'IDENTITY_KEY'] as const;
const resealed: readonly string[] = ['SEALING_KEY', 'IDENTITY_KEY'];

/** `keys status`: what rests on each key, and what to do next. */
function showKeys(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'keys', 'status', {});
  const words = answer.rings.flatMap(({ name, keys, nameless, next }) => [
    name,
    ...keys.map(({ id, first, values, may_be_dropped, revoked }) => {
      const use = first ? 'first' : may_be_dropped ? 'may be dropped' : 'in use';
      const role = revoked ? `revoked, ${use}` : use;
      return `  ${id.padEnd(20)} ${String(values).padStart(10)}  ${role}`;
    }),
    ...(nameless > 0 ? [`  ${'without an id'.padEnd(20)} ${String(nameless).padStart(10)}`] : []),
    `  next: ${next}`,
  ]);
  return print(terminal, options, answer, words);
}

/** `keys reseal`: has a worker seal anew, under the first key, what older keys have sealed. */
function resealKeys(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'keys', 'reseal', {});
  return print(terminal, options, answer, [
    `A worker now seals the values of each tenant anew (tenants: ${answer.tenants}).`,
    'Follow it with: npm run cli -- keys status',
  ]);
}

/** The operator's steps with a new key (rules/keys#11). */
function stepsOf({ env }: Terminal, { ring, ids, id }: AnswerOf<'keys', 'rotate'>): string[] {
  const written = (order: readonly string[]) => order.map((one) => `${one}:…`).join(',');
  const place = env[`${ring}_FILE`] ? `the file of ${ring}_FILE, one key a line` : ring;
  const reseal = 'Have a worker seal anew what the old key sealed: npm run cli -- keys reseal';
  return [
    `Put it last in ${place}, and restart every process: ${written([...ids, id])}`,
    `Put it first, and restart every process: ${written([id, ...ids])}`,
    ...(resealed.includes(ring) ? [reseal] : []),
    'Drop the old key once this says that it may be dropped: npm run cli -- keys status',
  ];
}

/** `keys rotate`: a new key with the steps that bring it into use; it changes nothing itself. */
function rotateKey(terminal: Terminal, name: string | undefined, options: Options): ExitCode {
  const ring = rings.find((one) => one === name);
  if (ring === undefined)
    throw new UsageError(`${name} is not a ring of keys`, `Give one of: ${rings.join(', ')}`);
  const answer = operate(terminal, 'keys', 'rotate', { ring });
  const steps = stepsOf(terminal, answer);
  return print(terminal, options, { ...answer, steps }, [
    `A new key of ${ring}. It is shown only once and in use nowhere: save it with your secrets.`,
    `  ${answer.key}`,
    ...steps.map((step, place) => `${place + 1}. ${step}`),
  ]);
}

export function declareKeys({ terminal, root, add }: Declaration): void {
  const keys = add(root, 'keys', 'the key rings of the service', []);
  add(keys, 'status', 'what rests on each key, and what to do next', [json], (options) =>
    showKeys(terminal, options),
  );
  add(keys, 'reseal', 'seal anew what older keys have sealed', [json], (options) =>
    resealKeys(terminal, options),
  );
  const about = `make a new key of ${rings.join(', ')}, with the steps to take`;
  add(keys, 'rotate <ring>', about, [json], (options, [ring]) =>
    rotateKey(terminal, ring, options),
  );
}
