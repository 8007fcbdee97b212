import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ofControl, statementsOf } from '../../service/db/statements.ts';
import { sourcesOf } from '../kit/plane_files.ts';

/** A fault of a statement, and what it looks like (rules/engine#33). */
type Rule = readonly [fault: string, is: (sql: string) => boolean];

const both =
  (one: RegExp, other: RegExp) =>
  (sql: string): boolean =>
    one.test(sql) && other.test(sql);

/** Begins with what it does to control; a part of a cell in it would be left out for the second cell. */
const toControl =
  /^(create (unique )?(table|view|index|function|trigger)|alter (table|index|trigger)|drop (trigger|index|table|function)|insert into|update|delete from|revoke|grant|do)\b/i;

const migrationRules: readonly Rule[] = [
  ['names the schema public', (sql) => /\bpublic\.|to public\.|schema public/i.test(sql)],
  ['adds and drops a constraint', both(/\badd constraint\b/i, /\bdrop constraint\b/i)],
  ['is unlogged', (sql) => /\bcreate unlogged\b/i.test(sql)],
  [
    'fires for each statement, and not by TRUNCATE alone',
    (sql) =>
      /create trigger/i.test(sql) &&
      /for each statement/i.test(sql) &&
      !/before truncate on/i.test(sql),
  ],
  [
    'inserts what a stable function says',
    both(/\binsert into\b[\s\S]*\bselect\b/i, /\bnow\(\)|\bclock_timestamp\(\)|\binterval '/i),
  ],
  ['adds an interval in a write', both(/^(update|delete|with)\b/i, /[-+] interval '/i)],
  ['does something else to control', (sql) => ofControl.test(sql) && !toControl.test(sql)],
];

/** Applied, so nobody changes them. */
const appliedFaults = [
  '0001_baseline: is unlogged', // it is logged a few lines below in every cell but the usual one
  '0001_baseline: inserts what a stable function says', // a function, which inserts row by row
];

const folder = 'service/db/migrations';

test('each statement of a migration can be run in a cell', () => {
  const found = readdirSync(folder).flatMap((file) =>
    statementsOf(readFileSync(`${folder}/${file}`, 'utf8')).flatMap((sql) =>
      migrationRules
        .filter(([, is]) => is(sql))
        .map(([fault]) => `${file.slice(0, -'.sql'.length)}: ${fault}`),
    ),
  );
  expect(found).toEqual(appliedFaults);
});

/** The texts between backticks of the service and its commands, without what is put into them. */
const texts = sourcesOf(['engine', 'service', 'backoffice', 'fleet', 'start', 'cli']).flatMap(
  (name) => {
    const code = readFileSync(name, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    const held = [...code.matchAll(/`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'/g)];
    return held.map(([, long, short]) => {
      const text = (long ?? short ?? '').replace(/\$\{[^{}]*\}/g, '@');
      return { name, text, writes: /\b(update|insert into|delete from)\s+\w/i.test(text) };
    });
  },
);

const faultsOf = (is: (one: (typeof texts)[number]) => boolean) => [
  ...new Set(texts.filter(is).map(({ name }) => name)),
];

test('no text names the schema of a cell, which is a setting', () => {
  expect(faultsOf(({ text }) => /\bpublic\.\w/.test(text))).toEqual([]);
  expect(faultsOf(({ text }) => /^LISTEN |^NOTIFY |\bpg_notify\(/.test(text))).toEqual([]);
});

test('an advisory lock is of a cell by its key, or of what all cells of a database share', () => {
  const locks = /\bpg_(try_)?advisory_\w+\((?!@)/;
  expect(faultsOf(({ text }) => locks.test(text))).toEqual(
    [
      'fleet/move/move.ts', // control.moves
      'service/db/migration_lock.ts', // control and roles
      'backoffice/audit/verify.ts', // control.audit
    ].sort(),
  );
});

test('a write moves no instant of a column by an interval, but in UTC', () => {
  const ofParameter =
    /(\$\d+|@)::timestamptz [-+] ((\$\d+|@)(::\w+)? \* )?(interval '|make_interval)/g;
  const adds = /[-+] ([\w.$@:]+ \* )?(interval '|make_interval)/;
  const isFault = (text: string) => adds.test(text.replace(ofParameter, ''));
  expect(faultsOf(({ text, writes }) => writes && isFault(text))).toEqual([]);
});

test('no VALUES has a subquery', () => {
  expect(
    faultsOf(({ text }) => /\bvalues\s*\((?:[^()]|\([^()]*\))*\(\s*select\b/i.test(text)),
  ).toEqual([]);
});

test('a statement that locks rows and one that inserts are two, save where one round trip matters', () => {
  const locks = /\bfor (no key )?(update|share)\b/i;
  expect(faultsOf(({ text }) => locks.test(text) && /\binsert into\s/i.test(text))).toEqual([
    'service/http/auth/token.ts', // the client, whose token is made
    'service/operations/process_registry.ts', // the rows of dead processes
    'service/webhooks/dispatch/statements.ts', // clocks, while results are written
  ]);
});
