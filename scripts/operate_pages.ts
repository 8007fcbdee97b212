import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { alarmTexts } from '../backoffice/contract/operate/alarm_texts.ts';
import { runbookOf } from '../contract/core/runbook.ts';
import { code, page, table } from '../contract/emit/tables/markdown.ts';
import { metricTexts } from '../service/operations/metric_texts.ts';
import { securityEvents } from '../service/operations/security_events.ts';

/**
 * `npm run emit`: writes the pages of docs/reference for operators, out of the tables of the code. With `--check` it
 * writes nothing and exits with 1 when a page is not what the tables say.
 */
const folder = new URL('../docs/reference/', import.meta.url);

/** A page with the file that it is made from. */
const made = (from: string, title: string, intro: string, ...parts: readonly string[]): string =>
  page(title, intro, ...parts).replace('Made from contract/', `Made from ${from}`);

const alarmsPage = made(
  'backoffice/contract/operate/alarm_texts.ts',
  'Alarms',
  'A line of the log with the field `alarm` needs a person. The name leads to what to look at and do first; the [console](../guide/console.md#alarms) shows the same texts.',
  table(
    ['alarm', 'what it means', 'what to do'],
    alarmTexts.map((text) => [
      `[${code(text.alarm)}](../guide/${runbookOf(text.alarm).replace('/docs/guide/', '').replace('#', '.md#')})${'having' in text ? `, with ${code(text.having)}` : ''}`,
      text.means,
      text.remedy,
    ]),
  ),
);

const metricsPage = made(
  'service/operations/metric_texts.ts',
  'Metrics',
  'What `GET /metrics` on `METRICS_PORT` has beside `process_…` and `nodejs_…` of Node itself. How to read it: [watch the service](../guide/operating/watching.md#metrics).',
  table(
    ['metric', 'meaning', 'when to worry'],
    Object.entries(metricTexts).map(([name, { means, worry }]) => [code(name), means, worry]),
  ),
);

const securityEventsPage = made(
  'service/operations/security_events.ts',
  'Security events',
  'The values of the field `security` of a line of the log ([watch the service](../guide/operating/watching.md#security-events)).',
  table(
    ['security', 'what has happened'],
    Object.entries(securityEvents).map(([name, what]) => [code(name), what]),
  ),
);

const pages = {
  'alarms.md': alarmsPage,
  'metrics.md': metricsPage,
  'security-events.md': securityEventsPage,
};

for (const [name, text] of Object.entries(pages)) {
  const file = new URL(name, folder);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`docs/reference/${name} is not what the code says. Run \`npm run emit\`.`);
    process.exitCode = 1;
  }
}
