import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { alarmTexts } from '../backoffice/contract/operate/alarm_texts.ts';
import { runbookOf } from '../contract/core/runbook.ts';
import { code, page, table } from '../contract/emit/tables/markdown.ts';
import { metricTexts } from '../service/operations/metric_texts.ts';
import { securityEvents } from '../service/operations/security_events.ts';
import { magic } from '../service/sandbox/magic.ts';

/**
 * `npm run emit`: writes the pages of docs/reference that are made from tables of the service. With `--check` it
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

const orNone = (word: string | null): string => (word === null ? 'no answer' : code(word));
const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

const testValuesPage = made(
  'service/sandbox',
  'Test values',
  `What decides the answers of a sandbox in automatic mode, ${magic.answer_seconds} s after it is asked. In both modes the PIN of sample people is ${magic.pin}, and every message code ${magic.message_code}. Rules: [sandbox](../rules/sandbox.md#automatic-mode).`,
  '## Amounts',
  'By the last two digits of the amount; any other settles.',
  table(
    ['digits', 'load, payment by bank', 'withdrawal, refund to a bank'],
    magic.amounts.map(({ cents, requested, sent }) => [
      String(cents),
      orNone(requested),
      orNone(sent),
    ]),
  ),
  '## Names',
  'The last name of a person or owner, or `legal_name`, letter for letter; any other is approved.',
  table(
    ['name', 'ends'],
    magic.names.map(({ name, outcome }) => [code(name), code(outcome)]),
  ),
  '## Banks',
  'The end of a public token names the bank, such as `public-sandbox-rtp_only`.',
  table(
    ['bank', 'account', 'withdrawal', 'load, pay by bank', 'checks end'],
    magic.banks.flatMap(({ bank, accounts, outcome, failure_code }) =>
      accounts.map(({ id, account_type, account_mask, withdrawal, load }) => [
        code(bank),
        `${account_type} ${account_mask}${id === null ? '' : `, ${code(id)}`}`,
        yesOrNo(withdrawal),
        yesOrNo(load),
        `${outcome}${failure_code === null ? '' : `, ${code(failure_code)}`}`,
      ]),
    ),
  ),
  '## People',
  table(
    ['`external_ref`', 'name', 'type', 'email', 'linked bank'],
    magic.people.map(({ external_ref, name, type, email, bank }) => [
      code(external_ref),
      name,
      type,
      email,
      bank ?? 'none',
    ]),
  ),
);

const pages = {
  'alarms.md': alarmsPage,
  'metrics.md': metricsPage,
  'security-events.md': securityEventsPage,
  'test-values.md': testValuesPage,
};

for (const [name, text] of Object.entries(pages)) {
  const file = new URL(name, folder);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`docs/reference/${name} is not what the code says. Run \`npm run emit\`.`);
    process.exitCode = 1;
  }
}
