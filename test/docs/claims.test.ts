import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  statementLimits,
  uploadBankStatement,
} from '../../backoffice/contract/money/bank_statements.ts';
import { awardedAlone, platformMoves } from '../../backoffice/contract/operate/approvals.ts';
import { reviewRecord } from '../../backoffice/contract/operate/review.ts';
import { documentLimits } from '../../contract/core/identity_documents.ts';
import { lifetimes, sizes } from '../../contract/core/numbers.ts';
import { secretFiles } from '../../service/config/secrets.ts';
import { sourcesOf } from '../kit/plane_files.ts';

/** Claims of pages that the code, or another page, can be asked about. */

const read = (path: string) => readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ');
const guide = (name: string) => read(`docs/guide/${name}.md`);

test('the page of the settings names every key that a start makes in DATA_DIR', () => {
  const [, files = ''] = /## Files in `DATA_DIR`(.*)$/.exec(guide('operating/settings')) ?? [];
  for (const name of Object.values(secretFiles)) expect(files).toContain(`\`${name}\``);
});

interface Group {
  readonly rules: readonly { readonly alert: string; readonly expr: string }[];
}

test('the alert of an old key fires at the time that the page of the keys gives each ring', () => {
  const page = readFileSync('docs/guide/operating/keys.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\|[^|]+\| (\d) years? +\|/gm)];
  const told = rows.map(([, ring = '', years]) => [ring, Number(years)] as const);
  expect(told.map(([ring]) => ring).sort()).toEqual(Object.keys(secretFiles).sort());
  const { groups }: { groups: readonly Group[] } = parse(
    readFileSync('deploy/prometheus/rules.yaml', 'utf8'),
  );
  const rules = groups.flatMap((group) => group.rules);
  const { expr = '' } = rules.find(({ alert }) => alert === 'KeyOld') ?? {};
  const fires = [...expr.matchAll(/\{ring=~"([^"]+)"\}\) > (\d+)/g)].flatMap(
    ([, rings = '', seconds]) =>
      rings.split('|').map((ring) => [ring, Number(seconds) / 86_400 / 365] as const),
  );
  expect(new Map(fires)).toEqual(new Map(told));
});

test('what the pages about capacity and growth call measured stands in performance', () => {
  const measured = read('docs/performance.md');
  for (const [page, figures] of [
    ['scaling', ['3,000 payments a second', '628 us', '466 us']],
    ['operating/growth', ['45 to 75 us', '5.1 s', '100,000', '8,885', '6,596', '5,283']],
  ] as const)
    for (const figure of figures)
      expect([page, figure, guide(page).includes(figure), measured.includes(figure)]).toEqual([
        page,
        figure,
        true,
        true,
      ]);
});

test('the page of failovers promises the time that each drill holds', () => {
  expect(guide('operating/failover')).toContain('writes are back within 5 s after it');
  const drills = [
    ...readFileSync('docs/reliability.md', 'utf8').matchAll(/^\| (failover|patroni) .*$/gm),
  ];
  expect(drills).toHaveLength(2);
  for (const [row] of drills) {
    expect(row).toContain('writes are back within 5 s of the promotion');
    expect(Number(/slowestRecoveryMs (\d+)/.exec(row)?.[1])).toBeLessThanOrEqual(5_000);
  }
});

test('a stolen key of codes is revoked by an act that admins may ask for', () => {
  const [, resource = '', move = ''] =
    /platform-approvals'.*resource: '([\w-]+)'.* move: '(\w+)'/.exec(guide('operating/keys')) ?? [];
  expect(Object.entries(platformMoves)).toContainEqual([resource, [move]]);
});

test('the walk says above which amount a dispute needs a second person', () => {
  expect(guide('production-customers')).toContain(
    `Deciding for her above $${awardedAlone / 100} would need a second person`,
  );
});

test('the lines of rails check are shown as they are printed', () => {
  const lines = [
    ...readFileSync('docs/guide/messages.md', 'utf8').matchAll(/^(?:smtp|twilio) .*$/gm),
  ];
  expect(lines).toHaveLength(2);
  for (const [line] of lines) expect(line).toMatch(/^\w+ {2}(?:ok|FAILED) {2}\S/);
});

const inWords: Readonly<Record<number, string>> = {
  4: 'four',
  10: 'ten',
  15: 'fifteen',
  30: 'thirty',
};
const words = (seconds: number, unit: number) => inWords[seconds / unit];

test('the page of OWASP ASVS gives the times of sessions and the sizes of uploads', () => {
  const page = read('docs/asvs.md');
  const { sessionIdle, onboardingIdle, personSessionIdle, sessionOpened, onboardingOpened } =
    lifetimes;
  const idle = [sessionIdle, onboardingIdle, personSessionIdle].map((one) => words(one, 60));
  expect(page).toContain(`Idle end: ${idle[0]} minutes, onboarding ${idle[1]}, people ${idle[2]},`);
  expect(page).toContain(
    `live on, ${words(sessionOpened, 60)} minutes at most, onboarding ${words(onboardingOpened, 3_600)} hours`,
  );
  const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
  expect(statementLimits.bytes).toBeLessThan(uploadBankStatement.largestBody);
  expect(page).toContain(
    `Upload sizes: bodies of ${sizes.requestBody / 1_024} kB; legal texts ${mebibytes(reviewRecord.largestBody)}, bank statements ${mebibytes(uploadBankStatement.largestBody)}, identity documents ${mebibytes(documentLimits.bytes)} in base64`,
  );
});

test('only files that are public may be read by pages of any origin', () => {
  const opening = sourcesOf(['backoffice', 'fleet', 'service', 'start']).filter((path) =>
    /header\('access-control-allow-origin'/.test(readFileSync(path, 'utf8')),
  );
  expect(opening).toEqual([
    'service/http/docs/published.ts',
    'service/http/files/hosted_pages.ts',
    'service/http/files/packages.ts',
    'service/http/service_facts.ts',
  ]);
});
