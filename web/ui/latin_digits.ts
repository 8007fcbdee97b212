const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** The value of a digit of any script: each has a row of ten, and some rows adjoin. */
function latin(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (isDigit(code - before - 1)) before += 1;
  return String(before % 10);
}

/** The digits of other scripts as those that everybody types: `٢٨` and full-width `２８` are `28`. */
export const withLatinDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/(?![0-9])\p{Nd}/gu, latin);
