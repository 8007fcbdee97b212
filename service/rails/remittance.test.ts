import { expect, test } from 'vitest';
import { longestRemittance, networkText, remittanceOf } from './remittance.ts';

const all = "ABC xyz 0189 /-?:().,'+";

test.each([
  ['every character that the networks carry stays', `${all}x`, `${all}x`],
  ['letters lose their marks', 'Café Žofín Ñandú', 'Cafe Zofin Nandu'],
  ['letters without a plain form become two', 'Æsir Straße Øre Łódź', 'AEsir Strasse Ore Lodz'],
  ['signs become their likeness', 'Bread & Butter – “Main_St”', "Bread + Butter - 'Main-St'"],
  ['what has no likeness becomes one space', 'Moon ☾☾ 茶 Tea', 'Moon Tea'],
  ['lines and controls become a space', 'a\n\tb\u0000c', 'a b c'],
  ['wide letters become plain ones', 'Ｃａｆｅ', 'Cafe'],
  ['no slash begins or ends it, and two never meet', '//a///b/ /c//', 'a/b/ /c'],
  ['nothing that can be carried is nothing', '茶', ''],
])('%s', (_what, text, carried) => {
  expect(networkText(text)).toBe(carried);
});

test('what a payer reads is at most 140 characters, and always names the record', () => {
  const record = `load_${'0'.repeat(32)}`;
  expect(remittanceOf('Corner Shop', record)).toBe(`Corner Shop load-${'0'.repeat(32)}`);
  const long = remittanceOf('B/'.repeat(200), record);
  expect(long.length).toBeLessThanOrEqual(longestRemittance);
  expect(long.endsWith(` load-${'0'.repeat(32)}`)).toBe(true);
  expect(remittanceOf('茶', record)).toBe(`load-${'0'.repeat(32)}`);
});

test('every text of one thousand is carried whole by the networks', () => {
  const any = (n: number) =>
    String.fromCodePoint(...Array.from({ length: 40 }, (_, i) => (n * 7919 + i * 104729) % 0xd7ff));
  for (let n = 0; n < 1_000; n += 1)
    expect(networkText(any(n))).toMatch(/^(?!\/)(?!.*\/\/)[A-Za-z0-9/\-?:().,'+ ]{0,140}(?<!\/)$/);
});
