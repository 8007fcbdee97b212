/** Letters that are written from right to left (rules/errors#45). */
const rightToLeft =
  /[\p{Script=Hebr}\p{Script=Arab}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}]/u;

/** A text without what turns its order: the doors refuse it, and rows of earlier releases may hold it. */
export const inOrder = (text: string): string => text.replaceAll(/\p{Bidi_Control}/gu, '');

/** A text of somebody within a sentence: its direction ends with it, and moves nothing around it. */
export function isolated(text: string): string {
  const shown = inOrder(text);
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}
