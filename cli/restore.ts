import { readFileSync } from 'node:fs';
import { type Declaration, json, print } from './declare.ts';
import { type AnswerOf, operate } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly json?: true;
}

interface BeginOptions extends Options {
  readonly to?: string;
}

interface StatusOptions extends Options {
  readonly since?: string;
  readonly bank?: string;
  readonly take?: true;
}

interface EndOptions extends Options {
  readonly note: string;
}

/** An instant with its zone, as PostgreSQL's recovery_target_time takes it too. */
function instantOf(flag: string, text: string): string {
  // PostgreSQL writes the zone as +00.
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || /:\d\d(?:\.\d+)?[+-]\d\d$/.test(text);
  const ms = zoned ? Date.parse(text.replace(/([+-]\d\d)$/, '$1:00')) : Number.NaN;
  if (Number.isNaN(ms)) {
    const hint = 'Such as "2026-11-28 12:00:00+00": the recovery_target_time, with its zone.';
    throw new UsageError(`${flag} ${text} is no instant`, hint);
  }
  return new Date(ms).toISOString();
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--bank ${path}: ${(error as Error).message}`, 'It is a list of orders.');
  }
}

const next = [
  'Next, hold the bank against what is here: npm run cli -- restore status --take',
  'Then: npm run cli -- restore end --note "what was compared"',
];

const sayThePoint = [
  'Next, find out what it was restored to, and say it: npm run cli -- restore begin --to TIME',
];

/** `restore begin`: what leaves the service is held until `restore end`; what it was restored to can be said later. */
function begin(terminal: Terminal, options: BeginOptions): ExitCode {
  const given = options.to === undefined ? {} : { to: instantOf('--to', options.to) };
  const answer = operate(terminal, 'restore', 'begin', given);
  return print(terminal, options, answer, [
    ...(answer.cause === 'command'
      ? []
      : [`The restore had begun by itself at ${answer.begun_at}.`]),
    `Restored to ${answer.restored_to ?? 'an unknown point'}: orders, messages and events are held.`,
    `Versions go on at ${answer.version_floor}.`,
    ...(answer.restored_to === null ? sayThePoint : next),
  ]);
}

type Status = AnswerOf<'restore', 'status'>;
type Compared = Status['orders'][number];

const dollars = (cents: number | null): string =>
  cents === null ? 'unknown amount' : `$${(cents / 100).toFixed(2)}`;

const lineOf = ({ id, amount, outcome, record, status, tenantId }: Compared): string =>
  [
    `  ${id}`,
    dollars(amount),
    `bank: ${outcome?.outcome ?? 'waits'}`,
    record === null ? `tenant ${tenantId ?? 'unknown'}` : `here: ${record} ${status}`,
  ].join('  ');

const titles = {
  missing: 'executed by the bank, and not known here',
  behind: 'known here, and the bank knows more',
  waiting: 'waiting there and here',
  ended: 'ended here',
  settled: 'executed by the bank, and settled by people',
} as const satisfies Record<Compared['standing'], string>;

function wordsOf({ orders, held, taken, ended_at, ...restore }: Status): string[] {
  const parts = Object.entries(titles).flatMap(([standing, title]) => {
    const found = orders.filter((order) => order.standing === standing);
    const shown = standing === 'missing' || standing === 'behind' ? found.map(lineOf) : [];
    return [`Orders ${title}: ${found.length}.`, ...shown];
  });
  const results = Object.entries(taken ?? {}).map(([result, count]) => `${count} ${result}`);
  const state = ended_at === null ? 'under way' : `ended at ${ended_at}`;
  return [
    `Restore to ${restore.restored_to ?? 'an unknown point'} (${restore.cause}): ${state}.`,
    `Held: ${held.orders} orders, ${held.messages} messages, ${held.events} events.`,
    `The bank's book since ${restore.since}: ${orders.length} orders.`,
    ...parts,
    ...(taken === null ? [] : [`Taken from the bank: ${results.join(', ') || 'nothing'}.`]),
    ...(orders.some(({ standing }) => standing === 'missing')
      ? [
          'What is not known here comes back when its tenant repeats the call with its key.',
          'Once people have put right what nobody repeats: restore settle ID --note "how"',
        ]
      : []),
  ];
}

/** `restore status`: exit code 1 while the bank knows something that is not here. */
function status(terminal: Terminal, options: StatusOptions): ExitCode {
  const { since, bank, take } = options;
  const answer = operate(terminal, 'restore', 'status', {
    ...(since === undefined ? {} : { since: instantOf('--since', since) }),
    ...(bank === undefined ? {} : { bank: contentOf(bank) }),
    ...(take && { take }),
  });
  print(terminal, options, answer, wordsOf(answer));
  const isBehind = answer.orders.some(({ standing }) => ['missing', 'behind'].includes(standing));
  return isBehind ? exitCodes.failed : exitCodes.done;
}

/** `restore end`: releases what was held; in production a second person does. */
function end(terminal: Terminal, options: EndOptions): ExitCode {
  const answer = operate(terminal, 'restore', 'end', { note: options.note });
  const words = answer.ended
    ? ['The restore has ended: orders, messages and events go out.']
    : [
        `Asked for as ${answer.approval}; it is held until an admin approves.`,
        'An admin approves it in the console, under Requests.',
      ];
  return print(terminal, options, answer, words);
}

/** `restore settle`: ends the alarm of an order that nobody repeats; in production a second person does. */
function settle(terminal: Terminal, id: string, options: EndOptions): ExitCode {
  const answer = operate(terminal, 'restore', 'settle', { id, note: options.note });
  const words = answer.settled
    ? [`Settled ${id}: restore status finds it missing no more.`]
    : [
        `Asked for as ${answer.approval}; it is missing until an admin approves.`,
        'An admin approves it in the console, under Requests.',
      ];
  return print(terminal, options, answer, words);
}

export function declareRestore({ terminal, root, add }: Declaration): void {
  const restore = add(root, 'restore', 'a database that was restored from a backup', []);
  const to = ['--to <time>', 'what it was restored to, with its zone; absent: said later'] as const;
  add(restore, 'begin', 'hold orders, messages and events', [to, json], (options: BeginOptions) =>
    begin(terminal, options),
  );
  const flags = [
    ['--since <time>', 'look at the bank from here on; absent: from `--to` of `begin`'],
    ['--bank <file>', 'the orders that the bank executed, where RAILS cannot say: JSON or CSV'],
    ['--take', 'take what the bank says of orders that are known here'],
    json,
  ] as const;
  const about = 'what the bank has since then; exit code 1 where it is not all here';
  add(restore, 'status', about, flags, (options: StatusOptions) => status(terminal, options));
  const note = ['--note <text>', 'what was compared, and by whom', 'required'] as const;
  add(restore, 'end', 'release what is held', [note, json], (options: EndOptions) =>
    end(terminal, options),
  );
  const how = ['--note <text>', 'how its money was put right, and by whom', 'required'] as const;
  const settling = "settle the bank's order that nobody repeats, by its id";
  add(restore, 'settle <id>', settling, [how, json], (options: EndOptions, [id = '']) =>
    settle(terminal, id, options),
  );
}
