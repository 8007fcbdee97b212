import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesOf } from '../kit/plane_files.ts';

/** Statements that take what columns a table has (rules/engine#40). */
const stars: readonly RegExp[] = [
  /\b(?:select|returning)\s+(?:distinct\s+(?:on\s*\([^)]*\)\s*)?)?\*/gi,
  /\b(?:\w+|\$\{[^{}]*\})\.\*(?=[\s,)`'])/g,
  /\.(?:selectAll|returningAll)\(/g,
  /\bto_jsonb?\([a-z]\w?\)|\brow_to_json\(|\bjsonb?_populate_record/g,
];

/** Columns that the text itself names: of `unnest`, of a query in parentheses, and of a CTE or function. */
const named = /^select\s+\*\s+from\s+unnest\(|^select\s+\*\s+from\s+\(/i;

/** Files where a star stands for columns that the same statement names, or for those of PostgreSQL's catalog. */
const exceptions: Readonly<Record<string, string>> = {
  'service/db/service_login.ts': 'roles of the catalog, in a CTE',
  'service/db/remote_control.ts': "rows of control's function, made when a cell is migrated",
  'service/invariants/scope.ts': 'a CTE stands for its table in a check, which names columns',
  'service/invariants/verify.ts': 'what a check has found, and its place',
  'service/invariants/events/replay.ts': 'records, which are read by the names of their columns',
  'backoffice/portal/tenants/figures.ts': 'figures that are named in the same statement',
};

const files = sourcesOf(['engine', 'service', 'backoffice', 'fleet', 'start']);

/** The stars of a file, each with what follows it. */
function starsOf(name: string): string[] {
  const code = readFileSync(name, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return stars.flatMap((star) =>
    [...code.matchAll(star)]
      .map(({ index }) => code.slice(index, index + 60).replaceAll(/\s+/g, ' '))
      .filter((text) => !named.test(text)),
  );
}

test('every statement names its columns, so that one which a later release adds changes none', () => {
  const found = files.flatMap((name) =>
    name in exceptions ? [] : starsOf(name).map((text) => `${name}: ${text}`),
  );
  expect(found).toEqual([]);
  const needless = Object.keys(exceptions).filter((name) => starsOf(name).length === 0);
  expect(needless).toEqual([]);
});

test('every INSERT names its columns', () => {
  const bare = /\binsert into\s+(?:control\.)?\w+(?:\s+as\s+\w+)?\s+(?:select|values)\b/gi;
  const found = files.flatMap((name) =>
    [...readFileSync(name, 'utf8').matchAll(bare)].map(([text]) => `${name}: ${text}`),
  );
  expect(found).toEqual([]);
});
