import { plain } from '../../show.ts';
import { type Handed, hintOf, isGood } from '../print.ts';

/** The contents of the screen. */
export interface Shown {
  readonly title: string;
  /** How the connection is. */
  readonly state: string;
  readonly note: string;
  /** The newest last. */
  readonly rows: readonly Row[];
  /** The index of the chosen row. */
  readonly chosen: number;
  /** The first line of the chosen event that is shown; null: the list. */
  readonly details: number | null;
}

export interface Row extends Handed {
  /** The time of day. */
  readonly at: string;
}

/** Lines of a text that may be long. */
const textLines = 2;
/** Lines around the list: title, state, a space, a space, note, keys. */
const aroundLines = 4 + 2 * textLines;

/** A text in so many lines, broken between words. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line, ...Array.from({ length: textLines }, () => '')].slice(0, textLines);
}

const statusOf = ({ url, answer }: Row): string =>
  url === null || answer === null ? '-' : String(answer.status ?? 'ERROR');

function rowLine(row: Row, isChosen: boolean): string {
  const duration = row.answer ? `${row.answer.duration_ms} ms` : '';
  const cells = [
    isChosen ? '>' : ' ',
    row.at,
    statusOf(row).padEnd(5),
    duration.padStart(8),
    row.type.padEnd(28),
    row.object_id ?? row.id,
  ];
  return cells.join(' ');
}

/** The window of a list in which the chosen line is to be seen. */
function around<T>(lines: readonly T[], chosen: number, room: number): readonly T[] {
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), lines.length - room));
  return lines.slice(from, from + room);
}

/** All that is known of an event and its answer. */
export function detailLines({ id, type, url, answer, body }: Row): string[] {
  const answered = answer
    ? [
        `answer   ${answer.status ?? answer.error}  ${answer.duration_ms} ms`,
        `         ${plain(answer.body.slice(0, 500))}`,
      ]
    : [];
  return [
    `event    ${plain(id)}  ${plain(type)}`,
    `sent to  ${url ?? 'nowhere: give --forward-to'}`,
    ...answered,
    '',
    ...JSON.stringify(JSON.parse(body), null, 2).split('\n').map(plain),
  ];
}

const listKeys = 'q end   r again   d details   o open in portal   up/down choose';
const detailKeys = 'q end   r again   d list   o open in portal   up/down scroll';

/** The lines of a screen of this size, each cut to its width. */
export function frame(shown: Shown, columns: number, rows: number): string[] {
  const room = Math.max(1, rows - aroundLines);
  const chosen = shown.rows[shown.chosen];
  const list = shown.rows.map((row, i) => rowLine(row, i === shown.chosen));
  const isList = shown.details === null || !chosen;
  const middle = isList
    ? around(list, shown.chosen, room)
    : detailLines(chosen).slice(shown.details ?? 0, (shown.details ?? 0) + room);
  const empty =
    isList && list.length === 0 ? ['No event yet. Cause one: tpay trigger payment.completed'] : [];
  const body = [...middle, ...empty];
  const hint = chosen && !isGood(chosen) ? hintOf(chosen) : null;
  const lines = [
    shown.title,
    ...wrapped(shown.state, columns),
    '',
    ...body,
    ...Array.from({ length: room - body.length }, () => ''),
    '',
    ...wrapped(shown.note || hint || '', columns),
    isList ? listKeys : detailKeys,
  ];
  return lines.slice(0, rows).map((line) => [...line].slice(0, columns).join(''));
}
