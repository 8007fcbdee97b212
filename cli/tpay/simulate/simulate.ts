import {
  listPossibleMoves,
  type PossibleMove,
  simulateMove,
} from '@tenant-payments/backoffice/contract/records/simulations.ts';
import { listEvents } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { simulateNames } from '@tenant-payments/contract/catalog.ts';
import { isCode } from '@tenant-payments/sdk-server';
import { type Flag, print } from '../../declare.ts';
import { type ExitCode, UsageError } from '../../terminal.ts';
import { type Connection, connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import { oneOf } from '../nearest.ts';
import type { Console, Options } from '../options.ts';
import { columns } from '../show.ts';

interface SimulateOptions extends Options {
  readonly failureCode?: string;
}

const wordsOf = ({ event, by, failure_codes: codes }: PossibleMove): string[] => [
  event,
  `as ${by.join(' or ')}`,
  codes.length > 0 ? `--failure-code ${codes.join('|')}` : '',
];

/** The moves that a record can make as it is now. */
async function possible({ portal }: Connection, id: string): Promise<PossibleMove[]> {
  const { data } = (await portal.request(listPossibleMoves, id)).data;
  return data.filter(({ obstacle }) => obstacle === null);
}

async function list(terminal: Console, options: Options, id: string): Promise<ExitCode> {
  const moves = await possible(connect(terminal, options), id);
  const none = `Nothing can be simulated of ${id} as it is now. See it with: tpay records get ${id}`;
  return print(
    terminal,
    options,
    { data: moves },
    moves.length > 0 ? columns(moves.map(wordsOf)) : [none],
  );
}

/** `simulate`: what the bank, a provider, the customer or a reviewer would do (rules/tpay#20). */
async function simulate(
  terminal: Console,
  options: SimulateOptions,
  [first = '', id]: readonly string[],
): Promise<ExitCode> {
  if (id === undefined) {
    if (!first.includes('.')) return list(terminal, options, first);
    throw new UsageError('simulate needs a record', `As in: tpay simulate ${first} ID`);
  }
  const all = `See what is possible with: tpay simulate ${id}`;
  const event = oneOf('an event to simulate', first, simulateNames, all);
  const connection = connect(terminal, options);
  const code = options.failureCode ? { failure_code: options.failureCode } : {};
  try {
    const { data } = await connection.portal.request(simulateMove, event, {
      object_id: id,
      ...code,
    });
    const request_id = data.request_id ?? '';
    const events = request_id
      ? (await connection.portal.request(listEvents, { request_id, limit: 20 })).data.data
      : [];
    const shown = events.map((each) => ({ id: each.id, type: each.type }));
    return print(terminal, options, { ...data, events: shown }, [
      `Done: ${event} of ${id}.`,
      ...shown.reverse().map((each) => `  ${each.type}  ${each.id}`),
      `See what is possible now with: tpay simulate ${id}`,
    ]);
  } catch (error) {
    if (isCode(error, 'invalid_state'))
      for (const move of await possible(connection, id))
        terminal.err(`possible: tpay simulate ${move.event} ${id}`);
    throw error;
  }
}

export const declareSimulate: Declare = ({ terminal, fill }, command) => {
  const flag: Flag = ['--failure-code <code>', 'with which it fails'];
  fill<SimulateOptions>(command, [flag], (options, args) => simulate(terminal, options, args));
};
