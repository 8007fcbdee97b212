import { listEventAttempts } from '@tenant-payments/backoffice/contract/traffic/attempts.ts';
import { listEvents } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { print } from '../../declare.ts';
import { type ExitCode, FaultLines } from '../../terminal.ts';
import { connect } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import { fieldLines, plain } from '../show.ts';

/** `events get`: an event, its record and every attempt to deliver it. */
async function get(terminal: Console, options: Options, id: string): Promise<ExitCode> {
  const { portal } = connect(terminal, options);
  const [event] = (await portal.request(listEvents, { event_id: id })).data.data;
  if (!event)
    throw new FaultLines([
      `error: there is no event ${plain(id)}`,
      'hint: List them: tpay events list',
    ]);
  const attempts = (await portal.request(listEventAttempts, id)).data.data;
  const { data, delivery, ...facts } = event;
  return print(terminal, options, { ...event, attempts }, [
    ...fieldLines({ ...facts, delivery: delivery.status, next_attempt: delivery.next_attempt_at }),
    ...attempts.map(
      ({ number, at, url, response_status, error, duration_ms }) =>
        `attempt ${number}  ${at}  [${response_status ?? error}]  ${plain(url)}  ${duration_ms} ms`,
    ),
    'object:',
    ...JSON.stringify(data.object, null, 2).split('\n').map(plain),
    `Send it again with: tpay events resend ${event.id}`,
  ]);
}

export const declareGet: Declare = ({ terminal, add }, command) => {
  const about = 'show an event with its attempts';
  add<Options>(command, 'get <id>', about, [], (options, [id = '']) => get(terminal, options, id));
};
