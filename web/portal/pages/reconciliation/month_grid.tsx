import { Link } from '@tanstack/react-router';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { ReconciliationReport } from '@tenant-payments/contract/resources/reports.ts';
import type { KeyboardEvent } from 'react';
import { counted } from '../../../staff/parts/tell.ts';
import { monthInWords, wholeDay } from '../../../ui/dates.ts';
import { money } from '../../../ui/money.ts';
import { weeksOf } from './months.ts';

interface GridProps {
  readonly month: string;
  readonly today: string;
  readonly reports: readonly ReconciliationReport[];
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The days by which each arrow moves. */
const steps = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
} as const;

/** Arrows go from report to report; a day without one is passed over. */
function go(event: KeyboardEvent<HTMLTableElement>): void {
  const step = ownValue(steps, event.key);
  if (step === undefined) return;
  const cells = [...event.currentTarget.querySelectorAll('td')];
  const from = cells.findIndex((cell) => cell.contains(document.activeElement));
  if (from < 0) return;
  event.preventDefault();
  for (let at = from + step; at >= 0 && at < cells.length; at += step) {
    const link = cells[at]?.querySelector('a');
    if (!link) continue;
    link.focus();
    return;
  }
}

/** A month with a mark for each day: what its report closed with, or why there is none. */
export function MonthGrid({ month, today, reports }: GridProps) {
  const made = new Map(reports.map((report) => [report.date, report]));
  const [newest = '', oldest = ''] = [reports[0]?.date, reports.at(-1)?.date];
  return (
    <table className="month" onKeyDown={go}>
      <caption className="unseen">{`Reports of ${monthInWords(month)}`}</caption>
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" aria-label={name}>
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, row) => (
          <tr key={String(row)}>
            {week.map((day, at) => (
              <td key={day ?? `none ${at}`} className={day === today ? 'is-today' : undefined}>
                {day && (
                  <Day
                    day={day}
                    report={made.get(day) ?? null}
                    isMissing={oldest < day && day < newest}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayProps {
  readonly day: string;
  readonly report: ReconciliationReport | null;
  /** Days before it and after it have a report. */
  readonly isMissing: boolean;
}

function Day({ day, report, isMissing }: DayProps) {
  const number = Number(day.slice(8));
  if (report === null)
    return (
      <div className="day">
        <span>{number}</span>
        {isMissing && <span className="day-more">no report</span>}
      </div>
    );
  const { postings_count, closing_balance } = report;
  const postings = counted(postings_count, 'posting');
  const closing = money(closing_balance, 'en');
  return (
    <Link
      to="/reconciliation/$date"
      params={{ date: day } as never}
      className={postings_count > 0 ? 'day is-made' : 'day is-quiet'}
      aria-label={`${wholeDay(day)}: ${postings}, closed with ${closing}`}
    >
      <span>{number}</span>
      <span className="day-more figures">{closing}</span>
      <span className="day-more">{postings_count > 0 ? postings : 'quiet'}</span>
    </Link>
  );
}
