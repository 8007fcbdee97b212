import { expect, test } from 'vitest';
import { type NameKind, nameScore } from './name_score.ts';

const bands: readonly (readonly [NameKind, 'verified' | 'review' | 'other', string, string])[] = [
  ['individual', 'verified', 'Ana Reyes', 'Ana Reyes'],
  ['individual', 'verified', 'Ana Reyes', 'REYES, ANA'],
  ['individual', 'verified', 'José Núñez', 'JOSE NUNEZ'],
  ['individual', 'verified', 'Søren Ærø', 'SOREN AERO'],
  ['individual', 'verified', "Mary O'Brien", 'MARY OBRIEN'],
  ['individual', 'verified', 'Mary Smith-Jones', 'MARY SMITH JONES'],
  ['individual', 'verified', 'Maria De La Cruz', 'MARIA DELACRUZ'],
  ['individual', 'verified', 'Ana Reyes', 'Ana M. Reyes'],
  ['individual', 'verified', 'Ana Maria Reyes', 'Ana M Reyes'],
  ['individual', 'verified', 'Ana Maria Reyes', 'ANA REYES'],
  ['individual', 'verified', 'Ana Reyes', 'Dr. Ana Reyes'],
  ['individual', 'verified', 'Ana Reyes', 'BEN COLE OR ANA REYES'],
  ['individual', 'verified', 'John Smith', 'JOHN & MARY SMITH'],
  ['individual', 'verified', 'Katherine Miller', 'KATHARINE MILLER'],
  ['individual', 'verified', 'John Smith', 'JOHN SMITH JR'],
  ['individual', 'review', 'Ana Reyes', 'A REYES'],
  ['individual', 'review', 'Jon Smith', 'JOHN SMITH'],
  ['individual', 'review', 'Maria Reyes', 'MARIO REYES'],
  ['individual', 'review', 'Ana Reyes', 'ANA REYES MARIA LOPEZ ORTIZ'],
  ['individual', 'other', 'Ana Reyes', 'BEN REYES'],
  ['individual', 'other', 'Ana Reyes', 'ANA LOPEZ'],
  ['individual', 'other', 'Ana Reyes', 'ANA'],
  ['individual', 'other', 'Ana Reyes', 'BEN COLE AND EVA COLE'],
  ['individual', 'other', 'John Smith Jr', 'JOHN SMITH SR'],
  ['individual', 'other', 'Ana Reyes', ''],
  ['individual', 'other', 'Ana Reyes', '***'],
  ['business', 'verified', 'Corner Cafe LLC', 'CORNER CAFE'],
  ['business', 'verified', 'Corner Cafe LLC', 'Corner Café, L.L.C.'],
  ['business', 'verified', 'The Bread & Butter Company', 'BREAD AND BUTTER CO'],
  ['business', 'verified', 'Corner Cafe LLC', 'JANE DOE DBA CORNER CAFE'],
  ['business', 'verified', 'Acme Inc', 'ACME CORPORATION'],
  ['business', 'review', 'Acme LLC', 'ACME FOODS LLC'],
  ['business', 'other', 'Corner Cafe LLC', 'CORNER BAKERY LLC'],
  ['business', 'other', 'Corner Cafe LLC', 'JANE DOE'],
  ['business', 'other', 'Limited', 'ACME LIMITED'],
];

test.each(bands)('%s, %s: %s and %s', (kind, band, ours, theirs) => {
  const score = nameScore(ours, theirs, kind);
  expect([score, score >= 85 ? 'verified' : score >= 70 ? 'review' : 'other']).toEqual([
    expect.any(Number),
    band,
  ]);
});

test('a name is wholly itself in every order of its words, and scores are whole numbers from 0 to 100', () => {
  for (const [kind, , ours, theirs] of bands) {
    expect(nameScore(ours, ours, kind)).toBe(100);
    const turned = ours.split(' ').reverse().join(' ');
    if (kind === 'individual' && !/Jr|Sr/.test(ours))
      expect(nameScore(ours, turned, kind)).toBe(100);
    const score = nameScore(ours, theirs, kind);
    expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
  }
});

test('a text of a million signs is judged at once', () => {
  const beganMs = performance.now();
  expect(nameScore('Ana Reyes', 'and '.repeat(250_000), 'individual')).toBe(0);
  expect(nameScore('Ana Reyes', 'x'.repeat(1_000_000), 'individual')).toBe(0);
  expect(performance.now() - beganMs).toBeLessThan(500);
});
