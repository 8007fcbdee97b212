import type { Screen } from '../../screen.ts';
import { type Acts, type Handed, isGood, type Printer, timeOfDay } from '../print.ts';
import { detailLines, frame, type Row, type Shown } from './frame.ts';

/** The most rows that are kept; earlier ones are in the portal. */
const keptRows = 500;

// Another page of the terminal, without a cursor and without breaking long lines; and back (ECMA-48, xterm).
const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const leave = '\x1b[?7h\x1b[?25h\x1b[?1049l';

const drawn = (lines: readonly string[]): string =>
  `\x1b[H${lines.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`;

/** The same with one row more; the newest stays chosen where it was. */
function withRow(shown: Shown, row: Row): Shown {
  const rows = [...shown.rows, row].slice(-keptRows);
  const wasNewest = shown.chosen === shown.rows.length - 1;
  const isFollowing = wasNewest && shown.details === null;
  const dropped = shown.rows.length + 1 - rows.length;
  const chosen = isFollowing ? rows.length - 1 : Math.max(0, shown.chosen - dropped);
  return { ...shown, rows, chosen };
}

/** One line up or down, in the list or in the details. */
function moved(shown: Shown, by: 1 | -1): Shown {
  const within = (value: number, length: number) => Math.max(0, Math.min(value, length - 1));
  const row = shown.rows[shown.chosen];
  if (shown.details !== null && row)
    return { ...shown, details: within(shown.details + by, detailLines(row).length) };
  return { ...shown, chosen: within(shown.chosen + by, shown.rows.length) };
}

/** `listen` on the whole screen (rules/tpay#35). */
export function openView(screen: Screen, title: string, acts: Acts): Printer {
  let shown: Shown = { title, state: '', note: '', rows: [], chosen: -1, details: null };
  let failed = 0;
  let all = 0;
  const draw = () => {
    const { columns, rows } = screen.size();
    screen.write(drawn(frame(shown, columns, rows)));
  };
  const show = (next: Partial<Shown>) => {
    shown = { ...shown, ...next };
    draw();
  };
  const ofChosen = (act: (row: Row) => void) => () => {
    const row = shown.rows[shown.chosen];
    if (row) act(row);
  };
  const details = () => show({ details: shown.details === null && shown.chosen >= 0 ? 0 : null });
  const endKeys = screen.readKeys({
    up: () => show(moved(shown, -1)),
    down: () => show(moved(shown, 1)),
    r: ofChosen(acts.again),
    o: ofChosen((row) => show({ note: acts.open(row) })),
    d: details,
    return: details,
    q: acts.end,
  });
  const endResize = screen.onResize(draw);
  const onExit = () => screen.write(leave);
  process.once('exit', onExit);
  screen.write(enter);
  draw();
  return {
    handed(handed: Handed) {
      all += 1;
      if (!isGood(handed)) failed += 1;
      show({ ...withRow(shown, { ...handed, at: timeOfDay() }), note: '' });
    },
    state: (line) => show({ state: line }),
    note: (line) => show({ note: line }),
    close() {
      process.off('exit', onExit);
      endKeys();
      endResize();
      screen.write(
        `${leave}${all} events handed over, ${failed} of them refused or unanswered.\r\n`,
      );
    },
  };
}
